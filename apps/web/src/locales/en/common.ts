export const common = {
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  unsaved: 'Unsaved changes',
  discard: 'Discard',
  save: 'Save',
  remove: 'Delete…',
  close: 'Close',
  clear: 'Clear',
  reveal: 'Show password',
};
