// Protects n8n's memory: parked executions keep at most three contexts, however many executions there are.
import type { IExecuteFunctions } from 'n8n-workflow';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { sendAndWait, useParkRig } from './parkRig';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Number of executions: large enough to distinguish one shared context from one per execution. */
const PARKED_COUNT = 200;
const rig = useParkRig();
const { open, advanceTime } = rig;

it('parked executions keep at most three contexts in memory, however many executions there are', async () => {
	const contexts: Array<WeakRef<object>> = [];
	const { packProcess } = open(sendAndWait());
	const TwoFactor = packProcess.nodes.twoFactor;
	const node = new TwoFactor();
	packProcess.nodes.twoFactor = class extends TwoFactor {
		override execute = async function (this: IExecuteFunctions) {
			contexts.push(new WeakRef(this));
			return await node.execute!.call(this);
		};
	};
	for (let index = 0; index < PARKED_COUNT; index++) {
		void rig.host.start([{ question: `${index}` }]);
		await advanceTime(20);
	}
	await advanceTime(5000);
	const { executions } = rig.host;
	expect([...executions.values()].filter(({ status }) => status === 'waiting')).toHaveLength(
		PARKED_COUNT,
	);
	const poller = packProcess.shared().get('poller 4') as { size: object };
	expect(poller.size).toEqual({ executions: PARKED_COUNT, connections: 1 });
	// The node runs twice in each execution: by itself, and as the parked step.
	expect(contexts).toHaveLength(2 * PARKED_COUNT);

	for (const execution of executions.values()) execution.run = undefined;
	for (let round = 0; round < 3; round++) {
		await new Promise((resolve) => setImmediate(resolve));
		collectGarbage();
	}
	const retained = contexts.filter((context) => context.deref() !== undefined);
	expect(retained.length).toBeLessThanOrEqual(3);
	// The poller still polls for the executions.
	const decidedIndex = 100;
	rig.service.decide(rig.service.findUuid(`${decidedIndex}`), 'approved');
	await advanceTime(60_000);
	const executionId = [...executions.keys()][decidedIndex]!;
	expect(rig.readNextInputs(executionId)).toMatchObject([[{ approved: true }]]);
}, 120_000);
