/** Takes a tag, and suggests those of the image. */
import { Autocomplete, Group, Loader, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { useFaultText } from '../../kit/fault/fault.tsx';
import type { Fields } from '../../kit/form/fields.ts';
import { useTagSuggestions } from './offers.ts';
import { type PullForm, splitReference } from './pull-form.ts';
import type { TagSuggestion } from './tag-offer.ts';

/** Older tags are found by typing. */
const MOST = 200;

export function TagField({ value: form, set, faultAt }: Fields<PullForm>) {
  const t = useMessages('pull');
  const faultText = useFaultText();
  const [wanted, { open, close }] = useDisclosure();
  const { offer, error, isFetching } = useTagSuggestions(form, wanted);
  const known = offer?.tags ?? [];
  const names = known.map(({ name }) => name);
  const partly = offer !== undefined && (offer.more || names.length > MOST);
  const refused =
    splitReference(form).source === 'host' && error !== null ? faultText(error) : null;
  return (
    <Autocomplete
      label={t.tag}
      placeholder={t.tagHint}
      value={form.tag}
      onChange={(tag) => set({ tag: tag.trim() })}
      onFocus={open}
      onBlur={close}
      data={partly ? [{ group: t.moreTags, items: names }] : names}
      aria-description={partly ? t.moreTags : undefined}
      renderOption={({ option }) => (
        <TagOption tag={known.find(({ name }) => name === option.value)} />
      )}
      limit={MOST}
      rightSection={isFetching ? <Loader size={14} /> : null}
      description={refused}
      error={faultAt('tag')}
      spellCheck={false}
      autoCapitalize="none"
      required
    />
  );
}

function TagOption({ tag }: { tag: TagSuggestion | undefined }) {
  const [t, format] = useWords('pull');
  if (!tag) return null;
  const facts = [
    tag.updated_at && format.relative(tag.updated_at),
    tag.size !== null && format.bytes(tag.size),
    tag.platforms.length > 0 && t.platformCount(tag.platforms.length),
  ].filter(Boolean);
  return (
    <Group justify="space-between" gap="0 md" w="100%">
      <Text style={{ overflowWrap: 'anywhere' }}>{tag.name}</Text>
      <Text size="xs" c="dimmed">
        {facts.join(' · ')}
      </Text>
    </Group>
  );
}
