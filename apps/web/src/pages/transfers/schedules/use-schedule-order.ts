/** The order of the list of schedules, for its headings and the API. */
import { SCHEDULE_ORDERS, type ScheduleOrder } from '@portcullis/domain';
import { useOrderParameter } from '../../../kit/use-order-parameter.ts';

const NEWEST_FIRST: ScheduleOrder = '-created_at';

export function scheduleOrderOf(asked: string | null): ScheduleOrder {
  return SCHEDULE_ORDERS.find((each) => each === asked) ?? NEWEST_FIRST;
}

export function useScheduleOrder() {
  const [asked, onChange] = useOrderParameter();
  return { order: scheduleOrderOf(asked), onChange };
}
