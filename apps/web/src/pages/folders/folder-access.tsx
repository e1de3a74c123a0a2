/** Who may do what in a folder, in words; administrators see the members of its groups. */
import { Anchor, Text } from '@mantine/core';
import type { FolderOverview } from '@portcullis/contract';
import { Link } from 'react-router';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { LongName } from '../../kit/text/long-name.tsx';
import { Administrators } from '../../session/contacts.tsx';
import classes from './folders.module.css';
import { useRightsWords } from './rights-words.ts';

export function FolderAccess({ folder }: { folder: FolderOverview }) {
  const t = useMessages('folder');
  return (
    <Panel title={t.access}>
      {folder.groups ? <GroupList groups={folder.groups} /> : <OwnRights folder={folder} />}
    </Panel>
  );
}

function OwnRights({ folder: { rights, owners } }: { folder: FolderOverview }) {
  const [t, format] = useWords('folder');
  const words = useRightsWords();
  return (
    <>
      <Text>{t.may(words(rights))}</Text>
      <Text mt="xs">{owners.length > 0 ? t.owners(format.list(owners)) : t.noOwners}</Text>
      <Dimmed mt="xs">{t.askFor}</Dimmed>
      <Administrators />
    </>
  );
}

const NAMED = 5;

type Groups = NonNullable<FolderOverview['groups']>;

function GroupList({ groups }: { groups: Groups }) {
  const t = useMessages('folder');
  return (
    <>
      {groups.length === 0 ? (
        <Text c="dimmed">{t.noGroups}</Text>
      ) : (
        <ul className={classes.groups}>
          {groups.map((group) => (
            <Members key={group.group_id} group={group} />
          ))}
        </ul>
      )}
      <Anchor component={Link} to="/settings/folders" size="sm" mt="sm" display="inline-block">
        {t.changeAccess}
      </Anchor>
    </>
  );
}

function Members({ group }: { group: Groups[number] }) {
  const t = useMessages('folder');
  const words = useRightsWords();
  const may = words(group);
  const named = group.members.slice(0, NAMED);
  return (
    <li>
      <strong>
        <LongName>{group.group_name}</LongName>
      </strong>
      <span>{may === '' ? t.membersMayNothing : t.membersMay(may)}</span>
      <Dimmed span>
        {group.member_count === 0
          ? t.noMembers
          : t.andMore(named.join(', '), group.member_count - named.length)}
      </Dimmed>
    </li>
  );
}
