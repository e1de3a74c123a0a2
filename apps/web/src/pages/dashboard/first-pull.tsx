/** One field that pulls an image: a reference as `docker pull` takes it. */
import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { call, keyOf } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { EMPTY_FORM, pullBody, splitReference } from '../pull/pull-form.ts';
import classes from './first-steps-panel.module.css';

const EXAMPLE = 'nginx:1.29';

export function FirstPull() {
  const t = useMessages('start');
  const [reference, setReference] = useState('');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const pull = useMutation({
    mutationFn: () => call('staging.pull', { body: bodyOf(reference) }),
    onSuccess: (job) => {
      void queries.invalidateQueries({ queryKey: keyOf('dashboard.stats') });
      void navigate(`/staging/${job.job_id}`);
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (reference.trim() !== '') pull.mutate();
  }

  return (
    <>
      <form className={classes.pull} onSubmit={submit} autoComplete="off">
        <TextInput
          aria-label={t.pull.reference}
          placeholder={EXAMPLE}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
          spellCheck={false}
          autoCapitalize="none"
          className={classes.reference}
        />
        <Button type="submit" loading={pull.isPending} disabled={reference.trim() === ''}>
          {t.pull.act}
        </Button>
        <Button component={Link} to="/staging/new" variant="subtle">
          {t.pull.more}
        </Button>
      </form>
      <FaultAlert error={pull.error} />
    </>
  );
}

/** Without a tag it is `latest`, as for other clients. */
function bodyOf(reference: string) {
  const form = splitReference({ ...EMPTY_FORM, image: reference });
  return pullBody({ ...form, tag: form.tag || 'latest' });
}
