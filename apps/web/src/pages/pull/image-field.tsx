import { Autocomplete, Group, Loader, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { HubImage } from '@portcullis/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ClipboardEvent } from 'react';
import { ask } from '../../api/api.ts';
import { Badge } from '../../components/badge.tsx';
import { useFaultText } from '../../components/fault.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useAccount } from '../../session/account.ts';
import { type PullForm, takeApart, takeTagOff } from './pull-form.ts';
import type { FieldProps } from './pull-page.tsx';
import { usePullWords } from './pull-words.ts';

type ImageFieldProps = FieldProps & { onForm(form: PullForm): void };

export function ImageField(props: ImageFieldProps) {
  const t = usePullWords();
  const { form, faults, onForm } = props;
  if (form.source === 'hub') return <HubImageField {...props} />;
  return (
    <TextInput
      label={t.image}
      placeholder={t.imageOther}
      value={form.image}
      onChange={(event) => onForm({ ...form, image: event.currentTarget.value })}
      onBlur={() => onForm(takeTagOff(form))}
      onPaste={pasted(form, onForm)}
      error={faults.image}
      spellCheck={false}
      autoCapitalize="none"
      required
    />
  );
}

function HubImageField({ form, faults, onForm }: ImageFieldProps) {
  const t = usePullWords();
  const search = useHubSearch(form.image);
  const faultText = useFaultText();
  const hits = search.data ?? [];
  return (
    <Autocomplete
      label={t.image}
      placeholder={t.imageHub}
      value={form.image}
      onChange={(image) => onForm({ ...form, image })}
      onBlur={() => onForm(takeTagOff(form))}
      onPaste={pasted(form, onForm)}
      onOptionSubmit={(image) => onForm({ ...form, image, tag: '' })}
      data={hits.map(({ name }) => name)}
      filter={({ options }) => options}
      renderOption={({ option }) => <Hit hit={hits.find(({ name }) => name === option.value)} />}
      maxDropdownHeight={340}
      rightSection={search.isFetching ? <Loader size={14} /> : null}
      description={
        search.isError ? faultText(search.error) : search.isSuccess && hits.length === 0 ? t.noHits : null
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={faults.image}
      spellCheck={false}
      autoCapitalize="none"
      autoFocus
      required
    />
  );
}

/** Into an empty field; a part pasted into what stands there is left to the reader. */
function pasted(form: PullForm, onForm: (form: PullForm) => void) {
  return (event: ClipboardEvent<HTMLInputElement>) => {
    if (form.image !== '') return;
    event.preventDefault();
    onForm(takeApart({ ...form, image: event.clipboardData.getData('text').trim() }));
  };
}

/** As one types; what is an image already isn't searched for again and again. */
function useHubSearch(text: string) {
  const [q] = useDebouncedValue(text.trim(), 250);
  const { capabilities } = useAccount();
  return useQuery({
    ...ask('staging.searchDockerHub', { query: { q } }),
    enabled: q.length > 1 && capabilities.pull_external,
    staleTime: 300_000,
    retry: false,
    placeholderData: keepPreviousData,
  });
}

function Hit({ hit }: { hit: HubImage | undefined }) {
  const t = usePullWords();
  const format = useFormat();
  if (!hit) return null;
  return (
    <div style={{ minWidth: 0 }}>
      <Group gap={8} wrap="nowrap">
        <Text fw={580} truncate>
          {hit.name}
        </Text>
        {hit.is_official && <Badge tone="wait">{t.official}</Badge>}
      </Group>
      {hit.description && (
        <Text size="sm" c="dimmed" lineClamp={1}>
          {hit.description}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {t.pulls(format.compact(hit.pull_count))} · {t.stars(format.compact(hit.star_count))}
      </Text>
    </div>
  );
}
