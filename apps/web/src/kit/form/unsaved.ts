/** Which forms on the page have unsaved changes. A reload asks by the browser's own dialog. */
import { useEffect } from 'react';

const dirtyForms = new Set<object>();

export function hasUnsaved(): boolean {
  return dirtyForms.size > 0;
}

export function useUnsaved(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return;
    const form = {};
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    dirtyForms.add(form);
    window.addEventListener('beforeunload', ask);
    return () => {
      dirtyForms.delete(form);
      window.removeEventListener('beforeunload', ask);
    };
  }, [dirty]);
}
