import type { Dialect } from './dialect';
import { failureDialects } from './failures';
import { pagingDialects } from './paging';
import { shapeDialects } from './shapes';
import { valueDialects } from './values';

/** All dialects. */
export const dialects: readonly Dialect[] = [
	...shapeDialects,
	...pagingDialects,
	...valueDialects,
	...failureDialects,
];
