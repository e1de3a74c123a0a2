import { Select, Skeleton, UnstyledButton } from '@mantine/core';
import { ROOT_FOLDER } from '@portcullis/domain';
import { IconFolder, IconFolders, IconFolderX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/api.ts';
import classes from './images.module.css';
import { useImagesWords } from './images-words.ts';

interface FolderRailProps {
  chosen: string | null;
  onChoose(folder: string | null): void;
}

/** The folders this account may read; beside the list where there is room, else a field above it. */
export function FolderRail(props: FolderRailProps) {
  const t = useImagesWords();
  const folders = useQuery(ask('folders.listPullable'));
  if (folders.isError) return null;
  if (!folders.data) return <Skeleton className={classes.rail ?? ''} height={140} />;
  const named = folders.data.filter((name) => name !== ROOT_FOLDER);
  const names = folders.data.includes(ROOT_FOLDER) ? [...named, ROOT_FOLDER] : named;
  if (names.length === 0) return null;
  const nameOf = (name: string) => (name === ROOT_FOLDER ? t.root : name);
  return (
    <>
      <nav className={classes.rail} aria-label={t.folders}>
        <Choice {...props} value={null} icon={IconFolders} name={t.allFolders} />
        {names.map((name) => (
          <Choice
            key={name}
            {...props}
            value={name}
            icon={name === ROOT_FOLDER ? IconFolderX : IconFolder}
            name={nameOf(name)}
          />
        ))}
      </nav>
      <Select
        className={classes.folderSelect ?? ''}
        aria-label={t.folder}
        data={[
          { value: '', label: t.allFolders },
          ...names.map((value) => ({ value, label: nameOf(value) })),
        ]}
        value={props.chosen ?? ''}
        onChange={(folder) => props.onChoose(folder || null)}
        leftSection={<IconFolder size={16} aria-hidden="true" />}
        allowDeselect={false}
      />
    </>
  );
}

interface ChoiceProps extends FolderRailProps {
  value: string | null;
  icon: typeof IconFolder;
  name: string;
}

function Choice({ value, icon: Icon, name, chosen, onChoose }: ChoiceProps) {
  return (
    <UnstyledButton
      className={classes.folder ?? ''}
      aria-current={chosen === value ? 'true' : undefined}
      onClick={() => onChoose(value)}
    >
      <Icon size={16} stroke={1.6} aria-hidden="true" />
      <span className={classes.folderName}>{name}</span>
    </UnstyledButton>
  );
}
