/** One policy: its terms, their effect before they are saved, and its versions. */
import { Button, Stack } from '@mantine/core';
import type { PolicyDetail } from '@portcullis/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { ask } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { Breadcrumbs } from '../../../kit/layout/breadcrumbs.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { PolicyForm } from './policy-form.tsx';
import { PolicyRemoval } from './policy-removal.tsx';

export function Component() {
  const t = useMessages('policies');
  const { policyId = '' } = useParams();
  const policy = useQuery(ask('policies.getPolicy', { params: { policy_id: policyId } }));
  return (
    <>
      <Breadcrumbs label={t.title} parents={[{ name: t.title, to: '/settings/policies' }]} />
      <QueryView query={policy} rows={3} rowHeight={160}>
        {(found) => <FoundPolicy policy={found} />}
      </QueryView>
    </>
  );
}

function FoundPolicy({ policy }: { policy: PolicyDetail }) {
  const t = useMessages('policies');
  const [removing, setRemoving] = useState(false);
  return (
    <>
      <PageHead title={policy.name}>
        <Button variant="default" onClick={() => setRemoving(true)}>
          {t.remove}
        </Button>
      </PageHead>
      <Stack maw={860}>
        <PolicyForm key={policy.id} policy={policy} />
      </Stack>
      {removing && <PolicyRemoval policy={policy} onClose={() => setRemoving(false)} />}
    </>
  );
}
