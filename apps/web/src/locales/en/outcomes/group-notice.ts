export const groupNotice = {
  title: 'Your groups could not be read',
  why: {
    absent:
      'The identity provider did not send your groups, so your permissions stay as they were. An administrator can correct this at the provider.',
    overage:
      'You are in more groups than the identity provider sends, so your permissions stay as they were. An administrator can limit the groups that it sends.',
    unreadable:
      'The identity provider sent your groups in an unknown form, so your permissions stay as they were. An administrator can correct this at the provider.',
    not_here:
      'Some of your groups are mapped to groups that do not exist here, so you may lack permissions. An administrator can correct the mapping.',
  },
  close: 'Close this notice',
};
