import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useMessages } from '../../i18n/messages.ts';

/** Copies a text. Also works without TLS, where browsers hide the clipboard API. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const t = useMessages('common');
  const [ending, setEnding] = useState<'copied' | 'notCopied' | null>(null);
  useEffect(() => {
    if (ending === null) return;
    const timer = setTimeout(() => setEnding(null), ending === 'copied' ? 1500 : 5000);
    return () => clearTimeout(timer);
  }, [ending]);
  const done = ending === 'copied';
  const words = { copied: t.copied, notCopied: t.notCopied };
  const shown = ending === null ? (label ?? t.copy) : words[ending];
  return (
    <Tooltip label={shown} {...(ending === 'notCopied' && { opened: true })}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={24}
        aria-label={shown}
        onClick={() =>
          void copyText(text).then((isDone) => setEnding(isDone ? 'copied' : 'notCopied'))
        }
      >
        {done ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    </Tooltip>
  );
}

/** Whether it is in the clipboard, which a browser may refuse. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (!navigator.clipboard) return copySelected(text);
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  return isDone;
}
