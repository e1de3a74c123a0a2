/** The title of the browser's tab, in bookmarks and in the history. */
import { useEffect } from 'react';

/** @param title null: another part of the page has the title */
export function useDocumentTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = `${title} · Portcullis`;
  }, [title]);
}
