/** Runs one request, trigger start or wait against the sandbox, and prints its path through `nodes/`. See main.js. */
import type { INodeParameters, INodeType } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';

import { createApprovals, createJobs, decideApproval } from '../../lab/drive/approvalsAndJobs';
import type { Sandbox } from '../../sandbox/server';
import { sendAndWait, useParkRig } from '../engine/park/parkRig';
import { TriggerHost, waitUntil } from '../engine/trigger/support/host';
import type { TriggerName } from '../engine/trigger/support/host';
import { PasswordlessIdentityClient } from '../sandbox/passwordlessIdentity.fixture';
import { TwoFactorClient } from '../sandbox/twoFactor.fixture';
import { useAcceleratedTime } from '../support/fakeClock';
import { locateById } from '../support/locators';
import { packServices } from '../support/pack';
import { samples } from '../support/samples';
import { shareSandbox } from '../support/sandbox';
import { openRig } from '../support/sandboxRig';
import { formatPath, Recorder } from './recorder';

const [label = '', resource, operation] = JSON.parse(process.env.TRACED ?? '[]') as string[];
const TRIGGER_SUFFIX = ' Trigger';
/** Longer than two polling intervals of the list triggers. */
const TWO_POLLS_MS = 25_000;

/** Parameters of a trigger, and the change that then starts the workflow. */
interface StartScenario {
	parameters: INodeParameters;
	cause: () => unknown;
}

const PERSON = { Email: 'ada@email.example', FirstName: 'Ada', LastName: 'Lovelace' };
const scenarios: Record<string, (sandbox: Sandbox) => Promise<StartScenario>> = {
	twoFactorTrigger: async (sandbox) => {
		const [id = ''] = await createApprovals(new TwoFactorClient(sandbox), 1);
		return { parameters: { ids: id }, cause: () => decideApproval(sandbox, id, 'approved') };
	},
	passwordlessIdentityTrigger: async (sandbox) => {
		const [job = ''] = await createJobs(new PasswordlessIdentityClient(sandbox), 1);
		return {
			parameters: { ids: { rows: [{ ids: job, subject: '' }] } },
			cause: async () => await sandbox.control('passwordlessIdentity', 'approve', { job }),
		};
	},
	eventRegistrationTrigger: async (sandbox) => ({
		parameters: {
			triggerOn: ['registrationCreated'],
			eventId: locateById('1004'),
			options: { pollingInterval: 10 },
		},
		cause: async () =>
			await sandbox.control('eventRegistration', 'register', { eventId: '1004', ...PERSON }),
	}),
	eventDataTrigger: async (sandbox) => ({
		parameters: {
			triggerOn: ['attendeeCreated'],
			eventId: locateById('evt_1004'),
			options: { pollingInterval: 10 },
		},
		cause: async () =>
			await sandbox.control('eventData', 'addAttendee', {
				eventId: 'evt_1004',
				firstName: 'Ada',
				lastName: 'Lovelace',
				email: PERSON.Email,
			}),
	}),
};

const recorder = new Recorder();
const print = async () => process.stdout.write(`\n${formatPath(await recorder.stop())}\n`);
const findService = (displayName: string) => {
	const service = packServices.find(
		({ Node }) => new Node().description.displayName === displayName,
	);
	if (!service) throw new Error(`There is no node '${displayName}'`);
	return service.name;
};

/** Builds a node before the recorder starts: n8n does this once, when it loads the pack. */
function build<Name extends string>(
	types: Partial<Record<Name, new () => INodeType>>,
	name: Name,
): void {
	const node = new types[name]!();
	types[name] = function () {
		return node;
	} as unknown as new () => INodeType;
}

function traceTrigger(): void {
	useAcceleratedTime();
	const sandbox = shareSandbox({ registrations: 12 });
	it(`a start by ${label}`, async () => {
		const type: TriggerName = `${findService(label.slice(0, -TRIGGER_SUFFIX.length))}Trigger`;
		const { parameters, cause } = await scenarios[type]!(sandbox);
		const host = new TriggerHost(sandbox, [{ type, parameters }]);
		build(host.pack, type);
		await recorder.start();
		await host.start();
		await delay(TWO_POLLS_MS);
		await cause();
		await waitUntil(
			() => host.executions.length === 1,
			() => ({ errors: host.emittedErrors, failed: host.failedExecutions }),
		);
		// The trigger confirms the start.
		await delay(TWO_POLLS_MS);
		await print();
		await host.close();
	});
}

function traceWait(): void {
	const rig = useParkRig();
	it('a parked execution until it resumes', async () => {
		build(rig.open(sendAndWait()).packProcess.nodes, 'twoFactor');
		await recorder.start();
		const execution = await rig.start('One?');
		await rig.advanceTime(20_000);
		rig.decide('One?');
		await rig.advanceTime(10_000);
		expect(execution.status).toBe('success');
		await print();
	});
}

function traceOperation(): void {
	it(`${label} ${resource} ${operation}`, async () => {
		const type = findService(label);
		const sample = samples.find(
			(other) =>
				other.node === type && other.resource === resource && other.operation === operation,
		);
		if (!sample) throw new Error(`'${label}' has no operation '${resource} ${operation}'`);
		const rig = await openRig();
		build(rig.kit.nodes, type);
		const parameters = { resource, operation, ...(await sample.parameters(rig)) };
		await recorder.start();
		const { error } = await rig.run(type, parameters);
		await print();
		expect(error).toBeUndefined();
		await rig.close();
	});
}

if (label.endsWith(TRIGGER_SUFFIX)) traceTrigger();
else if (operation === 'sendAndWait') traceWait();
else traceOperation();
