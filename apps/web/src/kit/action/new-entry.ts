/** The parameter of an address by which a page begins a new entry at once. */
export const NEW_ENTRY = 'new';

export const newEntryPath = (path: string): string => `${path}?${NEW_ENTRY}=true`;
