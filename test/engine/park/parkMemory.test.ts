import type { IExecuteFunctions } from 'n8n-workflow';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { sendAndWait, useParkRig } from './parkRig';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Large enough to distinguish one shared context from one per execution. */
const PARKED = 200;
const rig = useParkRig();
const { open, advanceTime } = rig;

it('parked executions retain the context of only one of them, however many there are', async () => {
	const contexts: Array<WeakRef<object>> = [];
	const { packProcess } = open(sendAndWait());
	const Node = packProcess.nodes.twoFactor;
	const node = new Node();
	packProcess.nodes.twoFactor = class extends Node {
		override execute = async function (this: IExecuteFunctions) {
			contexts.push(new WeakRef(this));
			return await node.execute!.call(this);
		};
	};
	for (let started = 0; started < PARKED; started++) {
		void rig.host.start([{ question: `${started}` }]);
		await advanceTime(20);
	}
	await advanceTime(5000);
	const { executions } = rig.host;
	expect([...executions.values()].filter(({ status }) => status === 'waiting')).toHaveLength(
		PARKED,
	);
	const poller = packProcess.shared().get('poller 3') as { size: object };
	expect(poller.size).toEqual({ executions: PARKED, connections: 1 });
	// Once for its own run, and once as the parked step.
	expect(contexts).toHaveLength(2 * PARKED);

	for (const execution of executions.values()) execution.run = undefined;
	for (let times = 0; times < 3; times++) {
		await new Promise((resolve) => setImmediate(resolve));
		collectGarbage();
	}
	const alive = contexts.filter((context) => context.deref() !== undefined);
	expect(alive.length).toBeLessThanOrEqual(3);
	// The poller still polls for them.
	rig.service.decide(rig.service.uuidOf('100'), 'approved');
	await advanceTime(60_000);
	expect(rig.host.nextInputs.get('101')).toMatchObject([[{ approved: true }]]);
}, 120_000);
