import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { Job, PushView } from '@portcullis/contract';
import { GATE_CODES } from '@portcullis/domain';
import { Link } from 'react-router';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { CopyButton } from '../../kit/action/copy-button.tsx';
import { JobFault } from '../../kit/fault/job-fault.tsx';
import { Panel } from '../../kit/layout/panel.tsx';
import { ProgressBar } from '../../kit/text/progress-bar.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { shownPlace } from '../../kit/text/shown-place.ts';
import { Badge, type Tone } from '../../kit/verdict/badge.tsx';
import { VerdictBadge } from '../../kit/verdict/verdict-badge.tsx';
import { PassedWaivers } from '../../kit/waiver/passed-waivers.tsx';
import { CommandList } from '../images/detail/command-list.tsx';
import { kindOfArtifact, pullCommands } from '../images/detail/pull-commands.ts';
import { repositoryPath } from '../images/repository-location.ts';
import { hostOf, useRegistries } from '../images/use-registries.ts';
import { usePlaceName } from '../registries/use-place-name.ts';
import { Running } from '../staging/job-state.tsx';
import classes from './job.module.css';

/** The pushes of the job, newest first. */
export function Pushes({ job }: { job: Job }) {
  const t = useMessages('job');
  if (job.pushes.length === 0) return null;
  return (
    <Panel title={t.pushes}>
      <Stack component="ul" gap={10}>
        {job.pushes.toReversed().map((push) => (
          <PushRow key={push.id} job={job} push={push} />
        ))}
      </Stack>
    </Panel>
  );
}

const TONES = {
  queued: 'unknown',
  running: 'wait',
  done: 'good',
  failed: 'critical',
  cancelled: 'unknown',
} as const satisfies Record<PushView['status'], Tone>;

/** What the gate refused is blocked, not failed; what bypassed it is not just done. */
function PushState({ push: { status, error, bypassed } }: { push: PushView }) {
  const t = useMessages('job');
  if (status === 'failed' && GATE_CODES.some((code) => code === error?.code))
    return <VerdictBadge verdict="blocked" />;
  if (status === 'done' && bypassed !== null) return <Badge tone="high">{t.pushedAnyway}</Badge>;
  return <Badge tone={TONES[status]}>{t.pushStatus[status]}</Badge>;
}

interface PushProps {
  job: Job;
  push: PushView;
}

/** Artifacts have other commands than images; without a scan it is not known what was pushed. */
function Commands({ job, push, destination }: PushProps & { destination: string }) {
  const registries = useRegistries().data ?? [];
  if (job.vuln_result === null) return null;
  const target = {
    host: destination.slice(0, destination.indexOf('/')),
    plain: hostOf(push.registry_id ?? '', registries).plain,
    repository: push.target_image,
    tag: push.target_tag,
    digest: push.digest ?? '',
  };
  return (
    <CommandList commands={pullCommands(kindOfArtifact(job.vuln_result.artifact_type), target)} />
  );
}

function PushRow({ job, push }: PushProps) {
  const [t, format] = useWords('job');
  const nameOf = usePlaceName();
  const destination = shownPlace(push.destination, push.registry_id);
  return (
    <Stack component="li" gap={5}>
      <Group gap="4px 8px">
        <PushState push={push} />
        <code className={classes.destination}>{nameOf(push.destination, push.registry_id)}</code>
        <CopyButton text={destination} />
        <Text size="sm" c="dimmed" component="span" ml="auto">
          {push.requested_by}, <RelativeTime at={push.finished_at ?? push.created_at} />
        </Text>
      </Group>
      {push.status === 'running' && job.status === 'pushing' && <Running job={job} plain />}
      {push.status === 'queued' && <ProgressBar share={null} label={destination} />}
      {push.bypassed !== null && (
        <Text size="sm">
          {t.bypassedBy(push.requested_by)}
          {push.bypass_reason !== null && <q>{push.bypass_reason}</q>}
        </Text>
      )}
      {push.waivers.length > 0 && (
        <Text size="sm" component="div">
          <PassedWaivers waivers={push.waivers} />
        </Text>
      )}
      {push.error && <JobFault fault={push.error} />}
      {push.status === 'done' && <Commands {...{ job, push, destination }} />}
      {push.status === 'done' && push.registry_id !== null && (
        <Anchor
          component={Link}
          to={repositoryPath(
            { registryId: push.registry_id, repository: push.target_image },
            push.target_tag,
          )}
          size="sm"
          underline="always"
        >
          {t.openImage}
        </Anchor>
      )}
      {push.status === 'done' && push.bytes_mounted > 0 && (
        <Text size="xs" c="dimmed">
          {t.mounted(format.bytes(push.bytes_mounted))}
        </Text>
      )}
    </Stack>
  );
}
