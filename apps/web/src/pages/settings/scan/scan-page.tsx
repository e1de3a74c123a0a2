import { Alert, Button, Group, Stack } from '@mantine/core';
import type { ScannerState, ScanPolicy } from '@portcullis/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ask, call } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { Badge } from '../../../components/badge.tsx';
import { Confirm } from '../../../components/confirm.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { useNotices } from '../../../components/notices.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { Panel } from '../../../components/panel.tsx';
import { SaveBar } from '../../../components/save-bar.tsx';
import { useDraft } from '../draft.ts';
import { PolicyFields } from './policy-fields.tsx';
import { PolicySentence } from './policy-sentence.tsx';
import { useScanWords } from './scan-words.ts';

export function Component() {
  const t = useScanWords();
  const state = useQuery(ask('trivy.state'));
  return (
    <>
      <PageHead title={t.title} description={t.lead} />
      <Loaded query={state} rows={1} rowHeight={360}>
        {(scanner) => (
          <Stack maw={720}>
            <ScannerNote {...scanner} />
            <PolicyForm stored={scanner.policy} scannable={scanner.enabled} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function ScannerNote({ enabled, available }: ScannerState) {
  const t = useScanWords();
  if (enabled && available) return null;
  return (
    <Alert color="gray" variant="light">
      {enabled ? t.unavailable : t.disabled}
    </Alert>
  );
}

function PolicyForm({ stored, scannable }: { stored: ScanPolicy; scannable: boolean }) {
  const t = useScanWords();
  const draft = useDraft(stored);
  const notices = useNotices();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: ({ source: _, ...body }: Partial<ScanPolicy>) => call('trivy.setOverride', { body }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['trivy.state'] });
      draft.discard();
      notices.done(t.saved);
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (draft.dirty) save.mutate(draft.changes);
  }

  return (
    <form onSubmit={submit} noValidate>
      <Panel
        title={t.gate}
        description={<PolicySentence policy={draft.value} />}
        actions={<Source source={stored.source} />}
      >
        <PolicyFields
          value={draft.value}
          set={draft.set}
          scannable={scannable}
          faults={isProblem(save.error) ? save.error.fields : {}}
        />
      </Panel>
      <SaveBar
        inFlow
        dirty={draft.dirty}
        pending={save.isPending}
        error={save.error}
        onDiscard={() => {
          save.reset();
          draft.discard();
        }}
      />
    </form>
  );
}

function Source({ source }: Pick<ScanPolicy, 'source'>) {
  const t = useScanWords();
  const notices = useNotices();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const reset = useMutation({
    mutationFn: () => call('trivy.resetOverride'),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['trivy.state'] });
      setAsking(false);
      notices.done(t.wasReset);
    },
  });
  if (source === 'env') return <Badge tone="unknown">{t.fromEnv}</Badge>;
  return (
    <Group gap="xs">
      <Badge tone="wait">{t.fromOverride}</Badge>
      <Button variant="default" size="xs" onClick={() => setAsking(true)}>
        {t.reset}
      </Button>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={t.resetTitle}
        action={t.reset}
        pending={reset.isPending}
        error={reset.error}
        onConfirm={() => reset.mutate()}
      >
        {t.resetText}
      </Confirm>
    </Group>
  );
}
