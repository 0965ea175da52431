import { ids } from './ids';
import { listCore } from './listCore';
import { lists } from './lists';
import { people } from './people';
import { quorum } from './quorum';
import type { Subject } from './subject';
import { syncPlan } from './syncPlan';
import { waits } from './waits';
import { watch } from './watch';
import { writes } from './writes';

/** All subjects, in the order in which they are simulated. */
export const subjects: Subject[] = [
	ids,
	watch,
	lists,
	listCore,
	waits,
	people,
	quorum,
	writes,
	syncPlan,
];
