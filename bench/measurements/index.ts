import type { Measurement } from '../harness/measurement';
import { bulk } from './bulk';
import { cluster } from './cluster';
import { comparing } from './comparing';
import { crashes } from './crashes';
import { growth } from './growth';
import { items } from './items';
import { kills } from './kills';
import { lists } from './lists';
import { loading } from './loading';
import { parked } from './parked';
import { restarts } from './restarts';
import { sync } from './sync';
import { tokens } from './tokens';
import { triggers } from './triggers';
import { watcher } from './watcher';

/** All measurements, in the order of the documentation. */
export const measurements: Measurement[] = [
	items,
	lists,
	bulk,
	sync,
	triggers,
	watcher,
	comparing,
	growth,
	tokens,
	loading,
	cluster,
	kills,
	parked,
	restarts,
	crashes,
];
