// Runs before the first paint, so that the theme does not flash. Without a choice the system's applies.
const darkSystem = matchMedia('(prefers-color-scheme: dark)');

globalThis.applyTheme = () => {
  const chosen = localStorage.getItem('sluice-theme');
  document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : darkSystem.matches ? 'dark' : 'light';
  document.dispatchEvent(new Event('themechange'));
};

darkSystem.addEventListener('change', globalThis.applyTheme);
globalThis.applyTheme();
