/** Which forms on the page have unsaved changes. A reload asks by the browser's own dialog. */
import { useEffect, useRef } from 'react';

const dirtyForms = new Set<object>();

export function hasUnsaved(): boolean {
  return dirtyForms.size > 0;
}

/** @returns releases the form at once, for a navigation after its changes were saved */
export function useUnsaved(dirty: boolean): () => void {
  const release = useRef(() => {});
  useEffect(() => {
    if (!dirty) return;
    const form = {};
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    dirtyForms.add(form);
    window.addEventListener('beforeunload', ask);
    release.current = () => {
      dirtyForms.delete(form);
      window.removeEventListener('beforeunload', ask);
    };
    return () => release.current();
  }, [dirty]);
  return () => release.current();
}
