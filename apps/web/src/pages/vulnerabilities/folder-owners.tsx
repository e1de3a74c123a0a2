/** Whose the folders are, apart from reviewers and robots. */
import { Anchor } from '@mantine/core';
import type { VulnerabilityDetail } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import { Link } from 'react-router';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { type Fact, FactList, Panel } from '../../kit/layout/panel.tsx';
import { folderPath } from '../folders/folder-location.ts';
import classes from './vulnerabilities.module.css';

type Owners = VulnerabilityDetail['owners'];

export function FolderOwnersPanel({ owners }: { owners: Owners }) {
  const t = useMessages('exposure');
  return (
    <Panel title={t.owners} empty={owners.length === 0 && t.noOwners}>
      {owners.map((each) => (
        <Folder key={each.folder} owners={each} />
      ))}
    </Panel>
  );
}

function Folder({ owners: { folder, teams, people, reviewers, robots } }: { owners: Owners[0] }) {
  const [t, format] = useWords('exposure');
  const { rootFolder } = useMessages('vulnerabilities');
  const named = (name: string, names: readonly string[]): Fact => [
    name,
    names.length > 0 && format.list(names),
  ];
  return (
    <section className={classes.folder}>
      <h3>
        <Anchor component={Link} to={folderPath(folder)} inherit>
          {folder === ROOT_FOLDER ? rootFolder : folder}
        </Anchor>
      </h3>
      <FactList
        facts={[
          named(t.teams, teams),
          named(t.people, people),
          named(t.reviewers, reviewers),
          named(t.robots, robots),
        ]}
      />
    </section>
  );
}
