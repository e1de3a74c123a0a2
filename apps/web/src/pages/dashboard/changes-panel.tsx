/** Shows which images and vulnerabilities changed lately. */
import { useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { ChangedImages } from './changed-images.tsx';
import classes from './dashboard.module.css';
import { NewVulnerabilities } from './new-vulnerabilities.tsx';

const REFRESH_MS = 60_000;
const MOST_IMAGES = 8;
const REQUEST = { query: { limit: MOST_IMAGES } };

/** One request for all panels that need it. */
export const useChanges = () =>
  useAnswer('gate.gateChanges', REQUEST, { refetchInterval: REFRESH_MS });

/** Images that were blocked or pass again, and vulnerabilities that are new, since a day ago. */
export function ChangesPanel() {
  const t = useMessages('dashboard');
  const { data: changes } = useChanges();
  // The page is complete without it, as where nothing changed.
  if (!changes || changes.items.length + changes.vulnerabilities.length === 0) return null;
  const { blocked, cleared, vulnerabilities, vulnerabilities_total: found } = changes;
  const exploited = vulnerabilities.filter(({ kev }) => kev === true).length;
  return (
    <Panel
      title={t.changes}
      flush
      description={[t.changesSentence(blocked, cleared, found), t.exploitedNew(exploited)]
        .filter((sentence) => sentence !== '')
        .join(' ')}
    >
      <NewVulnerabilities {...changes} />
      <div className={classes.next}>
        <ChangedImages changes={changes} />
      </div>
    </Panel>
  );
}
