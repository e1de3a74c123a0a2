import { Title } from '@mantine/core';
import type { Job } from '@portcullis/contract';
import type { ReactNode } from 'react';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import { CopyButton } from '../../kit/action/copy-button.tsx';
import { Digest } from '../../kit/text/digest.tsx';
import { useSampleData } from '../../shell/use-sample-data.ts';
import classes from './job.module.css';

export function JobFacts({ job }: { job: Job }) {
  const t = useMessages('job');
  const format = useFormat();
  const { sampleData } = useMessages('shell');
  const isSample = useSampleData();
  const { platforms, digest, size, owner, vuln_result: result } = job;
  return (
    <section className={classes.panel}>
      <Title order={2} mb="xs">
        {t.facts}
      </Title>
      <dl className={classes.facts}>
        {digest && (
          <Fact name={t.digest}>
            <Digest digest={digest} />
          </Fact>
        )}
        {size !== null && <Fact name={t.size}>{format.bytes(size)}</Fact>}
        {job.image_released_at && (
          <Fact name={t.stagedImage}>
            {t.imageReleased(format.dateTime(job.image_released_at))}
          </Fact>
        )}
        <Fact name={t.platforms}>{platforms === 'all' ? t.all : platforms.join(', ')}</Fact>
        <Fact name={t.owner}>{owner}</Fact>
        <Overrides job={job} />
        {result?.os && (
          <Fact name={t.os}>
            {result.os.family} {result.os.name}
            {result.os.eosl && ` (${t.eosl})`}
          </Fact>
        )}
        {result && (
          <Fact name={t.scanner}>
            {result.scanner.name} {result.scanner.version}
          </Fact>
        )}
        {result?.scanner.db_updated_at && (
          <Fact name={t.database}>
            {format.dateTime(result.scanner.db_updated_at)}
            {isSample && ` (${sampleData.title})`}
          </Fact>
        )}
        {job.request_id && (
          <Fact name={t.requestId}>
            <code>{job.request_id}</code>
            <CopyButton text={job.request_id} />
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Overrides({ job }: { job: Job }) {
  const t = useMessages('job');
  const { severity } = useMessages('verdict');
  const format = useFormat();
  const { vuln_scan_enabled: scan, vuln_severities: severities } = job.overrides;
  const parts = [
    scan === false ? t.noScan : null,
    severities && t.blocks(format.list(severities.map((each) => severity[each]))),
  ].filter(Boolean);
  return parts.length > 0 && <Fact name={t.overrides}>{parts.join(', ')}</Fact>;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
