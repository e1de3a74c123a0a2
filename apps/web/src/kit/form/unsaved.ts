/** Which forms on the page have unsaved changes. A reload asks by the browser's own dialog. */
import { useEffect, useRef } from 'react';

/** A form in a dialog, or on the page below it. */
type Place = 'dialog' | 'page';

const dirtyForms = new Set<{ place: Place }>();

export function hasUnsaved(): boolean {
  return dirtyForms.size > 0;
}

export function hasUnsavedDialog(): boolean {
  return [...dirtyForms].some(({ place }) => place === 'dialog');
}

/** @returns releases the form at once, for a navigation after its changes were saved */
export function useUnsaved(dirty: boolean, place: Place = 'page'): () => void {
  const release = useRef(() => {});
  useEffect(() => {
    if (!dirty) return;
    const form = { place };
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    dirtyForms.add(form);
    window.addEventListener('beforeunload', ask);
    release.current = () => {
      dirtyForms.delete(form);
      window.removeEventListener('beforeunload', ask);
    };
    return () => release.current();
  }, [dirty, place]);
  return () => release.current();
}
