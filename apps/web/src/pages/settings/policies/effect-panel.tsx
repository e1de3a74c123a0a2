/** What the terms of a draft would change for the images that are there now. */
import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import type { PolicyDetail, PolicyPreview } from '@portcullis/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { type Column, defineColumns, RowName } from '../../../kit/table/columns.tsx';
import { SortedTable } from '../../../kit/table/sorted-table.tsx';
import table from '../../../kit/table/table.module.css';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { Badge } from '../../../kit/verdict/badge.tsx';
import { hasSameTerms, type PolicyDraft, termsOf } from './policy-draft.ts';

interface EffectPanelProps {
  policy: PolicyDetail;
  draft: PolicyDraft;
}

const ITS_FOLDERS = ':its';
const ALL_FOLDERS = ':all';

export function EffectPanel({ policy, draft }: EffectPanelProps) {
  const t = useMessages('policies');
  const names = useAnswer('folders.listFolderNames');
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
      {isOutdated && <Dimmed>{t.outdated}</Dimmed>}
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

type Item = PolicyPreview['items'][number];

const MOST_NAMED = 3;

/** Images that a draft would block or allow. */
function EffectTable({ items }: { items: readonly Item[] }) {
  const columns = useColumns();
  return (
    <SortedTable
      rows={items}
      first="change"
      columns={columns}
      keyOf={itemKey}
      className={table.inner}
    />
  );
}

const itemKey = ({ repository, digest }: Item): string => `${repository}@${digest}`;

function imageName({ repository, tags: [tag] }: Item): string {
  return tag === undefined ? repository : `${repository}:${tag}`;
}

const useColumns = defineColumns('policies', (t): Column<Item>[] => [
  {
    title: t.image,
    sort: 'image',
    by: imageName,
    cell: (item) => (
      <RowName to={`/images/__local__/${item.repository}`}>{imageName(item)}</RowName>
    ),
  },
  {
    title: t.change,
    sort: 'change',
    by: ({ change }) => (change === 'blocked' ? 0 : 1),
    cell: ({ change }) => (
      <Badge tone={change === 'blocked' ? 'critical' : 'good'}>{t.changes[change]}</Badge>
    ),
  },
  {
    id: 'why',
    title: t.why,
    className: table.quiet,
    cell: (item) => <Reason item={item} />,
  },
]);

function Reason({ item: { code, findings, findings_total: total } }: { item: Item }) {
  const t = useMessages('policies');
  if (findings.length === 0) return t.codes[code];
  const named = findings
    .slice(0, MOST_NAMED)
    .map(({ vulnerability, package: name }) => `${vulnerability} (${name})`);
  return t.andMore(named.join(', '), total - named.length);
}
