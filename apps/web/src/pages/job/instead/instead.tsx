/** What to use in place of a blocked image: other tags of its repository that pass. */
import { Button, Group, Text, Title } from '@mantine/core';
import type { Job, PassingTags } from '@portcullis/contract';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { ask, call, keyOf } from '../../../api/api.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { SeverityCountsView } from '../../../kit/verdict/severity-counts.tsx';
import classes from './instead.module.css';
import { INSTEAD_SKELETON } from './instead-skeleton.tsx';
import { newestTag } from './newest-tag.ts';
import { pullOf } from './tag-pull.ts';

/** An error shows the job without it. */
export default function Instead({ job }: { job: Job }) {
  const t = useMessages('instead');
  const passing = useQuery(ask('staging.listPassingTags', { params: { job_id: job.job_id } }));
  if (passing.isError) return null;
  if (!passing.data) return INSTEAD_SKELETON;
  const { tags, judged } = passing.data;
  const title = tags.length > 0 ? t.title : t.titleNone;
  return (
    <section aria-label={title} className={classes.instead}>
      <Title order={3} size="sm">
        {title}
      </Title>
      {tags.length > 0 ? (
        <ul className={classes.list}>
          {tags.map((each) => (
            <PassingTag key={each.tag} image={job.image} passing={each} />
          ))}
        </ul>
      ) : (
        <Dimmed>{judged > 0 ? t.nonePasses(judged) : t.noneJudged}</Dimmed>
      )}
      <TryNewest job={job} />
    </section>
  );
}

interface PassingTagProps {
  image: string;
  passing: PassingTags['tags'][number];
}

function PassingTag({ image, passing: { tag, job_id, counts, allowed_until } }: PassingTagProps) {
  const [t, format] = useWords('instead');
  return (
    <li>
      <Link to={`/staging/${job_id}`}>
        {image}:{tag}
      </Link>{' '}
      <Text span c="var(--good)" size="sm">
        {allowed_until === null ? t.passes : t.passesUntil(format.date(allowed_until))}
      </Text>{' '}
      <SeverityCountsView counts={counts} inWords />
    </li>
  );
}

function TryNewest({ job }: { job: Job }) {
  const t = useMessages('instead');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const attempt = useMutation({
    mutationFn: async () => {
      const tag = await newestTag(job);
      return tag === null ? null : call('staging.pull', { body: pullOf(job, tag) });
    },
    onSuccess: (pulled) => {
      if (pulled === null) return;
      void queries.invalidateQueries({ queryKey: keyOf('staging.listJobs') });
      void navigate(`/staging/${pulled.job_id}`);
    },
  });
  return (
    <>
      <Group gap="xs">
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={14} />}
          loading={attempt.isPending}
          onClick={() => attempt.mutate()}
        >
          {t.tryNewest}
        </Button>
        <Dimmed role="status">{attempt.data === null && t.noneNewer}</Dimmed>
      </Group>
      <FaultAlert error={attempt.error} />
    </>
  );
}
