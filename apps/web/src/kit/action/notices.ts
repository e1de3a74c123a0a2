/** Notifications for finished actions and errors. */

import { notifications } from '@mantine/notifications';
import { useMessages } from '../../i18n/messages.ts';
import { useFaultText } from '../fault/fault.tsx';

export interface Notices {
  done(message: string): void;
  fault(error: unknown): void;
}

export function useNotices(): Notices {
  const text = useFaultText();
  const { title } = useMessages('fault');
  return {
    done: (message) => void notifications.show({ message, color: 'steel' }),
    fault: (error) =>
      void notifications.show({
        title,
        message: text(error),
        color: 'red',
        autoClose: 8000,
        role: 'alert',
      }),
  };
}
