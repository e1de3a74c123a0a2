/** After a sign-in by the identity provider: says that its groups were not applied, and why. */
import { Alert } from '@mantine/core';
import type { GroupNotice } from '@portcullis/domain';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Suspense, useEffect, useState } from 'react';
import { useMessages } from '../i18n/messages.ts';
import { groupNoticeIn, REMOVALS } from '../session/group-notice.ts';

export function GroupBanner() {
  const [notice, setNotice] = useState(() => groupNoticeIn(document.cookie));
  useEffect(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: Firefox has no Cookie Store API
    for (const removal of REMOVALS) document.cookie = removal;
  }, []);
  if (notice === null) return null;
  return (
    <Suspense>
      <Notice why={notice} onClose={() => setNotice(null)} />
    </Suspense>
  );
}

/** Rare, so its messages are loaded with it. */
function Notice({ why, onClose }: { why: GroupNotice; onClose(): void }) {
  const t = useMessages('groupNotice');
  return (
    <Alert
      color="yellow"
      variant="light"
      mb="md"
      icon={<IconAlertTriangle size={18} />}
      role="status"
      title={t.title}
      withCloseButton
      closeButtonLabel={t.close}
      onClose={onClose}
    >
      {t.why[why]}
    </Alert>
  );
}
