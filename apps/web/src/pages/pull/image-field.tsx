/** Takes the name of an image, and suggests those of Docker Hub. */
import { Autocomplete, Group, Loader, Text, TextInput } from '@mantine/core';
import type { ClipboardEvent } from 'react';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { useFaultText } from '../../kit/fault/fault.tsx';
import type { Fields } from '../../kit/form/fields.ts';
import { firstOptions } from '../../kit/list/first-options.ts';
import { Badge } from '../../kit/verdict/badge.tsx';
import { IMAGES, type ImageSuggestion, useImageSuggestions } from './offers.ts';
import { type PullForm, splitReference, splitTag } from './pull-form.ts';

interface ImageFieldProps extends Fields<PullForm> {
  onForm(form: PullForm): void;
}

export function ImageField(props: ImageFieldProps) {
  const t = useMessages('pull');
  const { value: form, faultAt, onForm } = props;
  if (form.source !== 'host') return <SuggestingImageField {...props} />;
  return (
    <TextInput
      label={t.image}
      placeholder={t.imageOther}
      value={form.image}
      onChange={(event) => onForm({ ...form, image: event.currentTarget.value })}
      onBlur={() => onForm(splitTag(form))}
      onPaste={pasted(form, onForm)}
      error={faultAt('image')}
      spellCheck={false}
      autoCapitalize="none"
      required
    />
  );
}

function SuggestingImageField({ value: form, faultAt, onForm }: ImageFieldProps) {
  const t = useMessages('pull');
  const { first } = useMessages('filters');
  const search = useImageSuggestions(form);
  const faultText = useFaultText();
  const hits = search.data ?? [];
  const nothing = search.isSuccess && hits.length === 0 ? t.noHits : null;
  return (
    <Autocomplete
      label={t.image}
      placeholder={form.source === 'hub' ? t.imageHub : t.imageOther}
      value={form.image}
      onChange={(image) => onForm({ ...form, image })}
      onBlur={() => onForm(splitTag(form))}
      onPaste={pasted(form, onForm)}
      onOptionSubmit={(image) => onForm({ ...form, image, tag: '' })}
      data={firstOptions(
        hits.map(({ name }) => name),
        IMAGES,
        first,
        // Docker Hub does not say whether there are more.
        hits.length > IMAGES || (form.source === 'hub' && hits.length === IMAGES),
      )}
      filter={({ options }) => options}
      renderOption={({ option }) => <Hit hit={hits.find(({ name }) => name === option.value)} />}
      rightSection={search.isFetching ? <Loader size={14} /> : null}
      description={search.isError ? faultText(search.error) : nothing}
      error={faultAt('image')}
      spellCheck={false}
      autoCapitalize="none"
      autoFocus
      required
    />
  );
}

/** Splits a pasted reference; only in an empty field. */
function pasted(form: PullForm, onForm: (form: PullForm) => void) {
  return (event: ClipboardEvent<HTMLInputElement>) => {
    if (form.image !== '') return;
    event.preventDefault();
    onForm(splitReference({ ...form, image: event.clipboardData.getData('text').trim() }));
  };
}

function Hit({ hit }: { hit: ImageSuggestion | undefined }) {
  const [t, format] = useWords('pull');
  if (!hit) return null;
  const { name, hub } = hit;
  return (
    <div style={{ minWidth: 0 }}>
      <Group gap={8} wrap="nowrap">
        <Text fw={580} truncate>
          {name}
        </Text>
        {hub?.is_official && <Badge tone="wait">{t.official}</Badge>}
      </Group>
      {hub?.description && (
        <Text size="sm" c="dimmed" lineClamp={1}>
          {hub.description}
        </Text>
      )}
      {hub && (
        <Text size="xs" c="dimmed">
          {t.pulls(format.compact(hub.pull_count), hub.pull_count)} ·{' '}
          {t.stars(format.compact(hub.star_count), hub.star_count)}
        </Text>
      )}
    </div>
  );
}
