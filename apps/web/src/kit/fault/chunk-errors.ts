/**
 * The errors of scripts and styles that could not be loaded. Vite reports each in an event, alike
 * for every browser and kind of file, before it throws it.
 */
const errors = new WeakSet<object>();

/** Call before the first page is loaded. */
export function noteChunkErrors(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => void errors.add(payload));
}

export function isChunkError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && errors.has(error);
}
