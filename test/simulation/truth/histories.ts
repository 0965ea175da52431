import { triggerHistories } from './triggerHistories';
import type { TrueHistory } from './trueHistory';
import { waitHistories } from './waitHistories';

export const histories: TrueHistory[] = [...triggerHistories, ...waitHistories];
