/** What the terms of a draft would change for the images that are there now. */
import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import type { PolicyDetail, PolicyPreview } from '@portcullis/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, call } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { EffectTable } from './effect-table.tsx';
import { hasSameTerms, type PolicyDraft, termsOf } from './policy-draft.ts';

interface EffectPanelProps {
  policy: PolicyDetail;
  draft: PolicyDraft;
}

const ITS_FOLDERS = ':its';
const ALL_FOLDERS = ':all';

export function EffectPanel({ policy, draft }: EffectPanelProps) {
  const t = useMessages('policies');
  const names = useQuery(ask('folders.listFolderNames'));
  const isUsed = policy.used_by.folders.length > 0;
  const [where, setWhere] = useState(isUsed ? ITS_FOLDERS : ALL_FOLDERS);
  const preview = useMutation({
    mutationFn: async (terms: PolicyDraft) => ({
      terms,
      found: await call('policies.previewPolicy', {
        body: { draft: termsOf(terms), ...placeOf(where, policy.id) },
      }),
    }),
  });
  return (
    <Panel title={t.effect} description={t.effectLead}>
      <Stack>
        <Group align="flex-end">
          <Select
            label={t.where}
            data={[
              ...(isUsed ? [{ value: ITS_FOLDERS, label: t.itsFolders }] : []),
              { value: ALL_FOLDERS, label: t.allFolders },
              ...(names.data ?? []).map((name) => ({ value: name, label: name })),
            ]}
            value={where}
            onChange={(chosen) => setWhere(chosen ?? ALL_FOLDERS)}
            allowDeselect={false}
            searchable
          />
          <Button
            variant="default"
            loading={preview.isPending}
            onClick={() => preview.mutate(draft)}
          >
            {t.preview}
          </Button>
        </Group>
        <FaultAlert error={preview.error} />
        <div aria-live="polite">
          {preview.data && (
            <Effect
              preview={preview.data.found}
              isOutdated={!hasSameTerms(preview.data.terms, draft)}
            />
          )}
        </div>
      </Stack>
    </Panel>
  );
}

function placeOf(where: string, id: string | null) {
  if (where === ITS_FOLDERS) return { policy_id: id };
  return where === ALL_FOLDERS ? {} : { folder: where };
}

function Effect({ preview, isOutdated }: { preview: PolicyPreview; isOutdated: boolean }) {
  const t = useMessages('policies');
  const { images, judged, newly_blocked: blocked, newly_allowed: allowed, unscanned } = preview;
  const isSame = blocked + allowed === 0;
  return (
    <Stack gap="xs">
      {isOutdated && (
        <Text size="sm" c="dimmed">
          {t.outdated}
        </Text>
      )}
      <Text fw={550}>
        {images === 0
          ? t.noImages
          : isSame
            ? t.noEffect(judged)
            : t.effectSentence(judged, blocked, allowed)}
      </Text>
      {unscanned > 0 && <Text size="sm">{t.unscanned(unscanned)}</Text>}
      {!preview.complete && <Text size="sm">{t.incomplete}</Text>}
      {preview.missing_feeds.map((feed) => (
        <Alert key={feed} color="yellow" variant="light">
          {t.missingFeed[feed]}
        </Alert>
      ))}
      {preview.items.length > 0 && (
        // The sentence is announced, not each new order of the table.
        <div aria-live="off">
          <EffectTable items={preview.items} />
        </div>
      )}
    </Stack>
  );
}
