/** Schedules as the form shows them, converted to cron expressions and back. */
type Rhythm = 'hourly' | 'daily' | 'weekly' | 'monthly' | 'custom';

export interface CronForm {
  rhythm: Rhythm;
  /** `HH:MM`; hourly schedules use only the minutes. */
  time: string;
  /** 0 is Sunday. */
  weekdays: number[];
  monthDay: number;
  custom: string;
}

export const NIGHTLY: CronForm = {
  rhythm: 'daily',
  time: '03:00',
  weekdays: [1],
  monthDay: 1,
  custom: '0 3 * * *',
};

export function cronOf({ rhythm, time, weekdays, monthDay, custom }: CronForm): string {
  const [hour, minute] = time.split(':').map(Number);
  const at = `${minute || 0} ${hour || 0}`;
  switch (rhythm) {
    case 'hourly':
      return `${minute || 0} * * * *`;
    case 'daily':
      return `${at} * * *`;
    case 'weekly':
      return `${at} * * ${[...weekdays].sort((a, b) => a - b).join(',') || '*'}`;
    case 'monthly':
      return `${at} ${monthDay} * *`;
    case 'custom':
      return custom.trim();
  }
}

const SHAPE = /^(\d{1,2}) (\d{1,2}|\*) (\d{1,2}|\*) \* ([0-6](?:,[0-6])*|\*)$/;

/** Other expressions become custom schedules. */
export function readCron(cron: string): CronForm {
  const [, minute, hour, day, weekdays] = SHAPE.exec(cron.trim()) ?? [];
  const form = { ...NIGHTLY, custom: cron };
  if (minute === undefined || hour === undefined || day === undefined || weekdays === undefined)
    return { ...form, rhythm: 'custom' };
  const timed = { ...form, time: `${hour === '*' ? '00' : two(hour)}:${two(minute)}` };
  const rhythm = rhythmOf(hour, day, weekdays);
  if (rhythm === 'weekly') return { ...timed, rhythm, weekdays: weekdays.split(',').map(Number) };
  return rhythm === 'monthly' ? { ...timed, rhythm, monthDay: Number(day) } : { ...timed, rhythm };
}

function rhythmOf(hour: string, day: string, weekdays: string): Rhythm {
  if (hour === '*') return day === '*' && weekdays === '*' ? 'hourly' : 'custom';
  if (day === '*') return weekdays === '*' ? 'daily' : 'weekly';
  return weekdays === '*' ? 'monthly' : 'custom';
}

function two(text: string): string {
  return text.padStart(2, '0');
}
