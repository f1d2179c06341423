import {element} from './dom.js';

/** Analyzers write to Kafka each second. */
const SILENT_MILLIS = 10_000;

/** Shows above each view that nothing has come from Kafka for a while. @param {HTMLElement} box */
export function silenceBanner(box) {
  const clear = () => box.replaceChildren();
  return {
    clear,
    /** @param {{silentMillis: number}} status */
    update(status) {
      if (status.silentMillis <= SILENT_MILLIS) {
        clear();
      } else if (box.childElementCount === 0) {
        box.append(element('p', {class: 'banner bad'}, element('strong', {}, 'Nothing comes from Kafka. '),
          'The broker does not answer this instance, or no analyzer decides. What this page shows is the last known state; '
          + 'gateways keep their locks until these end. Run ./sluice doctor.'));
      }
    },
  };
}
