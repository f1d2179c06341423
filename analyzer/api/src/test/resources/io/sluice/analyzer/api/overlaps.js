// Returns which visible texts and controls of the page overlap, or stick out of the window.
const LEAST = 2;
const visible = (element) => element.checkVisibility() && !element.closest('.hidden, .skip, .chart, .track, caption, option');
// what an ancestor that scrolls hides is not seen
const clipped = (element) => {
  let {left, top, right, bottom} = element.getBoundingClientRect();
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
    if (getComputedStyle(parent).overflowX !== 'visible' && parent !== document.body && parent !== document.documentElement) {
      const box = parent.getBoundingClientRect();
      left = Math.max(left, box.left);
      right = Math.min(right, box.right);
      top = Math.max(top, box.top);
      bottom = Math.min(bottom, box.bottom);
    }
  }
  return {left, top, right, bottom};
};
const ownText = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
const leaves = [...document.querySelectorAll('body *')].filter((element) =>
  visible(element) && (element.matches('button, input, select, meter, img') || ownText(element)));
const boxes = leaves.map((element) => ({element, box: clipped(element)})).filter(({box}) => box.right - box.left > LEAST && box.bottom - box.top > LEAST);
const name = (element) => `${element.tagName.toLowerCase()}.${element.className} "${element.textContent.trim().slice(0, 40)}"`;
const found = boxes.filter(({box}) => box.right > innerWidth + 1 || box.left < -1).map(({element}) => `${name(element)} sticks out`);
for (let i = 0; i < boxes.length; i++) {
  for (let j = i + 1; j < boxes.length; j++) {
    const a = boxes[i];
    const b = boxes[j];
    const nested = a.element.contains(b.element) || b.element.contains(a.element);
    if (!nested && Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > LEAST
        && Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > LEAST) {
      found.push(`${name(a.element)} overlaps ${name(b.element)}`);
    }
  }
}
return found.slice(0, 10);
