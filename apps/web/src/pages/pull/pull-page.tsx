/** Pulls an image into staging. */
import { Autocomplete, Button, Group, Loader, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ask, call, keyOf, useAnswer } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { FaultAlert, useFaultText } from '../../kit/fault/fault.tsx';
import { type Fields, faultsOf, fieldsOf } from '../../kit/form/fields.ts';
import { useUnsaved } from '../../kit/form/unsaved.ts';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { DestinationField, useLastChoice } from './destination-field.tsx';
import { ImageField } from './image-field.tsx';
import { MirrorCommand } from './mirror-command.tsx';
import { useTagSuggestions } from './offers.ts';
import { PlatformsField } from './platforms-field.tsx';
import { EMPTY_FORM, isComplete, type PullForm, pullBody, splitReference } from './pull-form.ts';
import { ReferrersField } from './referrers-field.tsx';
import { ScanFields } from './scan-fields.tsx';
import { SourceFields } from './source-fields.tsx';
import type { TagSuggestion } from './tag-offer.ts';

export function Component() {
  const t = useMessages('pull');
  // The command of a mirror is above the fields, which must not move once they can be used.
  const { isPending } = useAnswer('folders.listMirrors');
  return (
    <Stack maw={680} gap={0}>
      <PageHead title={t.title} description={t.lead} />
      {isPending ? <Skeleton height={580} radius="md" /> : <PullFields />}
    </Stack>
  );
}

function PullFields() {
  const t = useMessages('pull');
  const [form, setForm] = useState(EMPTY_FORM);
  // No kept draft: the form may hold a password.
  const sent = useUnsaved(JSON.stringify(form) !== JSON.stringify(EMPTY_FORM));
  const last = useLastChoice();
  const pull = usePull(sent, last);
  const set = (change: Partial<PullForm>) => setForm({ ...form, ...change });
  const fields = fieldsOf({ value: form, set, faults: faultsOf(pull.error) }, 'staging.pull');

  function submit(event: FormEvent): void {
    event.preventDefault();
    const whole = splitReference(form);
    setForm(whole);
    pull.mutate(whole);
  }

  return (
    <form onSubmit={submit} autoComplete="off" noValidate>
      <Stack>
        <MirrorCommand form={form} />
        <Paper withBorder p="lg" radius="md">
          <Stack>
            <SourceFields {...fields} />
            <ImageField {...fields} onForm={setForm} />
            <TagField {...fields} />
            <OfferedPlatforms {...fields} />
            <ReferrersField {...fields.pick('referrers')} />
            <DestinationField {...fields} />
          </Stack>
        </Paper>
        <Paper withBorder p="lg" radius="md">
          <ScanFields {...fields} />
        </Paper>
        <FaultAlert error={pull.error} />
        <Group justify="flex-end">
          <Button variant="default" component={Link} to="/staging">
            {t.cancel}
          </Button>
          <Button
            type="submit"
            loading={pull.isPending}
            disabled={!isComplete(splitReference(form))}
          >
            {form.scan === 'none' ? t.submitOnly : t.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function OfferedPlatforms({ value, tags }: Fields<PullForm>) {
  const t = useMessages('pull');
  const { offer } = useTagSuggestions(value, false);
  const tag = offer?.tags.find(({ name }) => name === value.tag);
  return (
    <PlatformsField
      description={t.platformsHint}
      offered={tag?.platforms ?? []}
      {...tags('platforms')}
    />
  );
}

function usePull(sent: () => void, last: string) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (form: PullForm) => call('staging.pull', { body: pullBody(form, last) }),
    onSuccess: (job) => {
      sent();
      queries.setQueryData(ask('staging.getJob', { params: { job_id: job.job_id } }).queryKey, job);
      void queries.invalidateQueries({ queryKey: keyOf('staging.listJobs') });
      void navigate(`/staging/${job.job_id}`);
    },
  });
}

/** Older tags are found by typing. */
const MOST = 200;

/** Takes a tag, and suggests those of the image. */
function TagField({ value: form, set, faultAt }: Fields<PullForm>) {
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
