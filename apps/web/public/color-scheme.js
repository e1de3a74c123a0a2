// Before the first paint, so that a dark page never flashes white. The policy allows no inline script.
(() => {
  let wanted = null;
  try {
    wanted = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage may be forbidden; then the system decides.
  }
  const dark =
    wanted === 'dark' || (wanted !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
