import { ACCOUNT_ORDERS } from '@portcullis/domain';
import { order, words } from '../../../kit/list/codecs.ts';
import { defineFilter } from '../../../kit/list/filter.ts';

export const USER_FILTER = defineFilter({ q: words(), sort: order(ACCOUNT_ORDERS, 'username') });
