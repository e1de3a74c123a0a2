/** Shows the scanner and its database, and updates the database. */
import { Button, Text } from '@mantine/core';
import type { DatabaseUpdate, ScannerDatabase } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, useAnswer } from '../../api/api.ts';
import { type Format, useMessages, useWords } from '../../i18n/messages.ts';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { JobFault, ServerDetails } from '../../kit/fault/job-fault.tsx';
import { FactList, Panel } from '../../kit/layout/panel.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import { Dimmed } from '../../kit/text/dimmed.tsx';

const RUNNING_MS = 2000;

function isBusy(data: ScannerDatabase | undefined): boolean {
  return data?.update.state === 'running' || data?.java_index.state === 'downloading';
}

export function ScannerPanel() {
  const t = useMessages('system');
  const queries = useQueryClient();
  const database = useAnswer('trivy.getDatabase', undefined, {
    refetchInterval: ({ state }) => (isBusy(state.data) ? RUNNING_MS : false),
  });
  const update = useMutation({
    mutationFn: () => call('trivy.updateDatabase'),
    onSettled: () => queries.invalidateQueries({ queryKey: ['trivy.getDatabase'] }),
  });
  return (
    <Panel
      title={t.database}
      description={t.databaseLead}
      actions={
        <Button
          variant="default"
          loading={update.isPending || database.data?.update.state === 'running'}
          onClick={() => update.mutate()}
        >
          {t.update}
        </Button>
      }
    >
      <FaultAlert error={update.error} />
      <QueryView query={database} rows={2}>
        {(data) => (
          <>
            <Facts {...data} />
            <UpdateNote update={data.update} code={data.code} />
          </>
        )}
      </QueryView>
    </Panel>
  );
}

function Facts({ db, java_index: java, rescans, rematch }: ScannerDatabase) {
  const [t, format] = useWords('system');
  if (!db) return <Text c="dimmed">{t.noDatabase}</Text>;
  const facts = [
    [t.age, db.age_s === null ? null : format.duration(db.age_s)],
    [t.built, db.updated_at && format.dateTime(db.updated_at)],
    [t.next, db.next_update && format.dateTime(db.next_update)],
    [t.source, db.source],
    [t.javaIndex, <JavaIndex key={t.javaIndex} {...java} />],
    [t.rematch, rematch && rematchDetail(rematch, t, format)],
    [t.rescans, rescans && t.rescanned(rescans.done, rescans.left, rescans.failed)],
  ] as const;
  return <FactList facts={facts} />;
}

function rematchDetail(
  { images_per_second: rate, updated_at: at, ...counts }: NonNullable<ScannerDatabase['rematch']>,
  t: ReturnType<typeof useMessages<'system'>>,
  format: Format,
): string {
  const { matched, changed, skipped } = counts;
  const compared = t.rematched(matched + skipped, changed, skipped);
  return counts.state === 'running'
    ? t.rematching(compared, rate === null ? '–' : format.number(Math.round(rate)))
    : t.rematchEnded(compared, format.dateTime(at));
}

function JavaIndex({ state, updated_at, bytes, code, message }: ScannerDatabase['java_index']) {
  const [t, format] = useWords('system');
  const { missing, downloading, failed, ready } = t.javaStates;
  const texts = {
    missing,
    downloading: downloading(bytes === null ? '' : format.bytes(bytes)),
    failed,
    ready: ready(updated_at ? format.dateTime(updated_at) : ''),
  };
  return (
    <>
      {texts[state]}
      {state === 'failed' && <DatabaseFault code={code} message={message} />}
    </>
  );
}

interface UpdateNoteProps {
  update: DatabaseUpdate;
  /** Why the newest update failed, also a scheduled one. */
  code: string | null;
}

function UpdateNote({ update: { state, error }, code }: UpdateNoteProps) {
  const t = useMessages('system');
  const isOther = code !== null && state !== 'running' && error === null;
  if (state === 'idle' && !isOther) return null;
  const texts = { idle: '', running: t.updating, done: t.updated, failed: t.updateFailed };
  return (
    <div aria-live="polite">
      <Dimmed mt="xs">{isOther ? t.anyUpdateFailed : texts[state]}</Dimmed>
      {isOther && <DatabaseFault code={code} message={null} />}
      {error && <DatabaseFault {...error} />}
    </div>
  );
}

/** Faults of databases have their words here; a scan of the check has those of jobs. */
function DatabaseFault({ code, message }: { code: string | null; message: string | null }) {
  const t = useMessages('system');
  const text = t.databaseFaults[code ?? ''];
  if (text === undefined)
    return <JobFault fault={{ code: code ?? '', message: message ?? t.anyUpdateFailed }} />;
  return (
    <>
      <Text size="sm" c="var(--mantine-color-error)">
        {text}
      </Text>
      {message !== null && <ServerDetails>{message}</ServerDetails>}
    </>
  );
}
