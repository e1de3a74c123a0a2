import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { useShortcut } from '../../../shell/shortcuts.ts';
import { NewPolicyDialog } from './new-policy-dialog.tsx';
import { PolicyTable } from './policy-table.tsx';

export function Component() {
  const t = useMessages('policies');
  const policies = useQuery(ask('policies.listPolicies'));
  const [creating, setCreating] = useState(false);
  useShortcut('n', t.newPolicy, () => setCreating(true));
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
          {t.newPolicy}
        </Button>
      </PageHead>
      <QueryView query={policies}>{(all) => <PolicyTable policies={all} />}</QueryView>
      {creating && policies.data && (
        <NewPolicyDialog policies={policies.data} onClose={() => setCreating(false)} />
      )}
    </>
  );
}
