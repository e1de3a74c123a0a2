export const common = {
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  unsaved: 'Not saved yet',
  discard: 'Discard',
  save: 'Save',
  remove: 'Delete…',
  close: 'Close',
  clear: 'Clear',
  reveal: 'Show the password',
};
