/**
 * The command palette: a dialog with a search field and a list of what it finds, by the pattern of
 * an editable combobox (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).
 */
import {
  CloseButton,
  Modal,
  TextInput,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import {
  IconCalendarClock,
  IconDownload,
  IconLanguage,
  IconLogout,
  IconPassword,
  IconPlus,
  IconSearch,
  IconTransferOut,
} from '@tabler/icons-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { useLanguage } from '../../i18n/language.tsx';
import { LANGUAGES, type Language } from '../../i18n/languages.ts';
import { useMessages } from '../../i18n/messages.ts';
import { newEntryPath } from '../../kit/action/new-entry.ts';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { useAccount } from '../../session/account.ts';
import { PASSWORD_PATH } from '../../session/password-path.ts';
import { signOut } from '../../session/sign-out.ts';
import { SCHEMES } from '../colour-schemes.ts';
import { useSections } from '../navigation.tsx';
import type { PaletteEntry } from './entry.ts';
import { groupsOf } from './groups.ts';
import { KIND_ICONS } from './kind-icons.ts';
import classes from './palette.module.css';
import { optionId, PaletteList } from './palette-list.tsx';
import { keepUsed, readRecent } from './recent.ts';
import { useFound } from './use-found.ts';

const NEW_SCHEDULE = '/transfers/schedules/new';

export default function Palette({ onClose }: { onClose(): void }) {
  const t = useMessages('palette');
  return (
    <Modal.Root opened onClose={onClose} size={640} yOffset="10vh">
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content aria-label={t.title}>
        <div className={classes.dialog}>
          <Search onClose={onClose} />
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Without blanks at the ends. */
function useEntries(typed: string) {
  const actions = useActions();
  const { id: accountId } = useAccount();
  const [recent] = useState(() => readRecent(accountId));
  const { entries: found, pending, error } = useFound(typed);
  const used = recent.flatMap((each): PaletteEntry[] => {
    // An action is offered as it is now: in the language of the page, and only where it exists.
    if (each.kind === 'action') return actions.filter(({ id }) => id === each.id);
    return [{ ...each, icon: KIND_ICONS[each.kind] }];
  });
  return { groups: groupsOf({ typed, recent: used, actions, found }), pending, error };
}

function Search({ onClose }: { onClose(): void }) {
  const t = useMessages('palette');
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const listId = useId();
  const { groups, pending, error } = useEntries(text.trim());
  const entries = groups.flatMap((group) => group.entries);
  const at = Math.min(active, entries.length - 1);
  const choose = useChoice(onClose);

  function onKeyDown(event: KeyboardEvent): void {
    const isAgain = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
    if (isAgain) {
      event.preventDefault();
      onClose();
    }
    if (event.nativeEvent.isComposing || entries.length === 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActive((at + step + entries.length) % entries.length);
    }
    const chosen = entries[at];
    if (event.key === 'Enter' && chosen) {
      event.preventDefault();
      choose(chosen);
    }
  }

  return (
    <>
      <TextInput
        data-autofocus
        variant="unstyled"
        size="md"
        className={classes.field ?? ''}
        role="combobox"
        aria-label={t.field}
        aria-expanded={entries.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={entries.length > 0 ? optionId(listId, at) : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        placeholder={t.field}
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        rightSection={<CloseButton aria-label={t.close} onClick={onClose} />}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <PaletteList {...{ groups, listId, active: at }} onActive={setActive} onChoose={choose} />
      <FaultAlert error={error} />
      {entries.length === 0 && !pending && error === null && (
        <p className={classes.nothing}>{t.nothing}</p>
      )}
      <VisuallyHidden role="status">{pending ? '' : t.results(entries.length)}</VisuallyHidden>
    </>
  );
}

function useChoice(onClose: () => void): (entry: PaletteEntry) => void {
  const navigate = useNavigate();
  const { id: accountId } = useAccount();
  return (entry) => {
    keepUsed(accountId, entry);
    onClose();
    if (entry.path === undefined) entry.run?.();
    else void navigate(entry.path);
  };
}

/** Pages and actions that the palette offers: what the sidebar and the account's menu have. */
function useActions(): PaletteEntry[] {
  const t = useMessages('palette');
  const synonyms = useMessages('synonyms');
  const navigation = useMessages('navigation');
  const { auth_source } = useAccount();
  const pages = useSections()
    .flatMap(({ items }) => items)
    .flatMap(({ icon, places }) =>
      places.flatMap(({ path, label, creates }) => [
        action(path, navigation[label], icon, { path, synonyms: synonyms[label] }),
        ...(creates === undefined ? [] : [begin(path, t.creates[creates])]),
      ]),
    );
  return [
    action('/staging/new', t.newPull, IconDownload, {
      path: '/staging/new',
      synonyms: synonyms.newPull,
    }),
    action('/transfers/new', t.newTransfer, IconTransferOut, {
      path: '/transfers/new',
      synonyms: synonyms.newTransfer,
    }),
    action(NEW_SCHEDULE, t.newSchedule, IconCalendarClock, {
      path: NEW_SCHEDULE,
      synonyms: synonyms.schedules,
    }),
    ...pages,
    ...(auth_source === 'local'
      ? [action('password', t.changePassword, IconPassword, { path: PASSWORD_PATH })]
      : []),
    ...usePreferences(),
  ];
}

function usePreferences(): PaletteEntry[] {
  const t = useMessages('palette');
  const shell = useMessages('shell');
  const account = useAccount();
  const { setColorScheme } = useMantineColorScheme();
  const [, setLanguage] = useLanguage();
  const languages = Object.entries(LANGUAGES) as [Language, string][];
  return [
    ...SCHEMES.map(([scheme, icon]) =>
      action(`scheme ${scheme}`, t.choice(shell.appearance, shell.schemes[scheme]), icon, {
        run: () => setColorScheme(scheme),
      }),
    ),
    ...languages.map(([language, name]) =>
      action(`language ${language}`, t.choice(shell.language, name), IconLanguage, {
        run: () => setLanguage(language),
      }),
    ),
    action('sign-out', shell.signOut, IconLogout, { run: () => void signOut(account) }),
  ];
}

/** The dialog of a page for a new entry. */
function begin(path: string, label: string): PaletteEntry {
  const to = newEntryPath(path);
  return action(to, label, IconPlus, { path: to });
}

function action(
  id: string,
  label: string,
  icon: PaletteEntry['icon'],
  does: Pick<PaletteEntry, 'path' | 'run' | 'synonyms'>,
): PaletteEntry {
  return { id: `action ${id}`, kind: 'action', label, icon, ...does };
}
