/** Chooses the two images of a comparison, and their platform. */
import { ActionIcon, Select, Skeleton, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ImageComparison } from '@portcullis/contract';
import { IconArrowsExchange } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { firstOptions } from '../../../kit/list/first-options.ts';
import classes from './compare.module.css';
import type { ImagePair } from './compare-location.ts';
import { ImageSide } from './image-side.tsx';

/** Of the five facts about an image. */
const FACTS_HEIGHT = 152;

interface PairPickerProps {
  registryId: string;
  pair: ImagePair;
  /** Undefined until it is loaded. */
  comparison: ImageComparison | undefined;
  loading: boolean;
  onChange(change: Partial<ImagePair>): void;
}

export function PairPicker({ registryId, pair, comparison, loading, onChange }: PairPickerProps) {
  const t = useMessages('comparison');
  const { repository, from, toRepository, to } = pair;
  const outline = loading && <Skeleton height={FACTS_HEIGHT} />;
  const swap = () =>
    onChange({ repository: toRepository, from: to, toRepository: repository, to: from });
  return (
    <div className={classes.pair}>
      <SidePicker
        registryId={registryId}
        legend={t.before}
        repository={repository}
        reference={from}
        onRepository={(name) =>
          onChange({ repository: name, from: '', toRepository, platform: '' })
        }
        onReference={(tag) => onChange({ from: tag })}
      >
        {comparison ? <ImageSide image={comparison.from} /> : outline}
      </SidePicker>
      <Tooltip label={t.swap}>
        <ActionIcon variant="default" size="lg" aria-label={t.swap} onClick={swap}>
          <IconArrowsExchange size={18} />
        </ActionIcon>
      </Tooltip>
      <SidePicker
        registryId={registryId}
        legend={t.after}
        repository={toRepository}
        reference={to}
        onRepository={(name) => onChange({ toRepository: name, to: '', platform: '' })}
        onReference={(tag) => onChange({ to: tag })}
      >
        {comparison ? <ImageSide image={comparison.to} growth={growthOf(comparison)} /> : outline}
      </SidePicker>
      {comparison && (
        <PlatformField comparison={comparison} onChange={(platform) => onChange({ platform })} />
      )}
    </div>
  );
}

function growthOf({ from, to }: ImageComparison): number {
  return to.size - from.size;
}

interface PlatformFieldProps {
  comparison: ImageComparison;
  onChange(platform: string): void;
}

function PlatformField({ comparison: { platforms, to }, onChange }: PlatformFieldProps) {
  const t = useMessages('comparison');
  if (platforms.length < 2) return null;
  return (
    <Select
      label={t.platform}
      data={platforms}
      value={to.platform}
      onChange={(platform) => platform !== null && onChange(platform)}
      allowDeselect={false}
    />
  );
}

interface SidePickerProps {
  registryId: string;
  legend: string;
  repository: string;
  reference: string;
  onRepository(name: string): void;
  onReference(tag: string): void;
  children: ReactNode;
}

function SidePicker(props: SidePickerProps) {
  const { registryId, legend, repository, reference, onRepository, onReference, children } = props;
  const t = useMessages('comparison');
  return (
    <fieldset className={classes.side}>
      <legend>{legend}</legend>
      <RepositoryField value={repository} onChange={onRepository} />
      <TagField
        registryId={registryId}
        repository={repository}
        label={t.tag}
        value={reference}
        onChange={onReference}
      />
      <div className={classes.wide}>{children}</div>
    </fieldset>
  );
}

/** Takes effect with Enter, or when the field loses the focus. */
function RepositoryField({ value, onChange }: { value: string; onChange(name: string): void }) {
  const t = useMessages('comparison');
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const commit = () => {
    const name = text.trim();
    if (name === '') setText(value);
    else if (name !== value) onChange(name);
  };
  return (
    <TextInput
      label={t.repository}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={commit}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
    />
  );
}

interface TagFieldProps {
  registryId: string;
  repository: string;
  label: string;
  value: string;
  onChange(tag: string): void;
}

const LISTED = 50;

function TagField({ registryId, repository, label, value, onChange }: TagFieldProps) {
  const t = useMessages('comparison');
  const { first } = useMessages('filters');
  const [words, setWords] = useState(value);
  const [q] = useDebouncedValue(words === value ? '' : words.trim(), 250);
  const tags = useAnswer(
    'images.listImageTags',
    {
      params: { registry_id: registryId },
      query: { repository, q, limit: LISTED + 1 },
    },
    { placeholderData: keepPreviousData, enabled: repository !== '', retry: false },
  );
  const names = (tags.data ?? []).map(({ tag }) => tag);
  // The chosen one is among those shown.
  const offered = value === '' ? names : [value, ...names.filter((name) => name !== value)];
  return (
    <Select
      label={label}
      placeholder={t.chooseTag}
      searchable
      data={firstOptions(offered, LISTED, first)}
      value={value === '' ? null : value}
      onChange={(tag) => tag !== null && onChange(tag)}
      onSearchChange={setWords}
      nothingFoundMessage={t.noTag}
      allowDeselect={false}
    />
  );
}
