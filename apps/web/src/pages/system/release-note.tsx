/** The version of this installation, and the newest release where `RELEASE_CHECK_URL` is set. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/api.ts';
import type { AnswerFor } from '../../api/client.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { OutsideLink } from '../../kit/text/outside-link.tsx';

export function ReleaseNote() {
  const t = useMessages('system');
  const version = useQuery(ask('system.version'));
  const latest = useQuery({ ...ask('system.latestVersion'), retry: false });
  if (!version.data) return t.lead;
  return (
    <>
      <Running {...version.data} />
      {latest.isError && <> · {t.releasesUnavailable}</>}
      {latest.data && <Latest {...latest.data} />}
    </>
  );
}

function Running({ version, commit }: AnswerFor<'system.version'>) {
  const t = useMessages('system');
  return commit ? t.build(version, commit.slice(0, 9)) : t.version(version);
}

function Latest({ latest, newer, url, published_at: at }: AnswerFor<'system.latestVersion'>) {
  const [t, format] = useWords('system');
  if (latest === null) return null;
  if (!newer) return <> · {t.newestRelease}</>;
  const text = at ? t.newerReleaseOf(latest, format.date(at)) : t.newerRelease(latest);
  return <> · {url === null ? text : <OutsideLink href={url}>{text}</OutsideLink>}</>;
}
