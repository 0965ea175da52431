// Protects workflows that continue after a failed node ('On Error'): no field of the input passes for a result.
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Operation } from '../../nodes/engine/operation';
import { packServices } from '../support/pack';
import { samples } from '../support/samples';
import { labelOf } from '../support/samples/sample';
import type { Sample } from '../support/samples/sample';
import { useRig } from '../support/sandboxRig';
import { shareOf } from '../support/share';
import { sendJson, startToyServer } from '../support/toy';
import type { ToyServer } from '../support/toy';
import { runNode } from '../support/workflow';
import type { NodeKit } from '../support/workflow';

// n8n outputs the input of a node that throws as its result. An attacker who writes the input (a row of a file, a chat, a
// form) can give it the fields of a success. Neither output may have such a field, because workflows join the two.

const rig = useRig({ registrations: 100 });
let server: ToyServer;
const parametersOf = new Map<Sample, INodeParameters>();
beforeAll(async () => {
	server = await startToyServer();
	for (const sample of samples) parametersOf.set(sample, await createParameters(sample));
});

async function createParameters(sample: Sample): Promise<INodeParameters> {
	rig.sandbox.reset();
	return await sample.parameters(rig);
}

afterAll(async () => await server.close());

/** A failure that every operation must report. */
interface RunFault {
	credential?: IDataObject;
	/** Message of the error with which n8n fails to read the credential. */
	credentialError?: string;
	parameters?: INodeParameters;
	node?: Partial<INode>;
	/** Whether the operation's own code throws when it shapes the output. */
	breakOutput?: true;
	/** Returns the parameters that cause the fault; none if the operation has no such parameter. */
	changeParameters?: (sample: Sample) => INodeParameters;
	/** Response of the service to every request. */
	respond?: Parameters<ToyServer['respondWith']>[0];
	/** Whether waits continue to poll, because the fault may pass. */
	waitsOut?: true;
}

const respondWith =
	(status: number, body: unknown, headers = {}): RunFault['respond'] =>
	(_, response) =>
		sendJson(response, status, body, headers);

const NAME = { __rl: true, mode: 'name', value: 'No such name' };
const EXPRESSION = "={{ $('Nowhere').item.json.x }}";

/** Returns the locators of a sample that can hold a name, with an unknown name. */
function replaceByNames(sample: Sample): INodeParameters {
	const { names = {} } = packServices.find(({ name }) => name === sample.node)!.service;
	const locators = Object.keys(parametersOf.get(sample)!).filter((name) => name in names);
	return Object.fromEntries(locators.map((name) => [name, NAME]));
}

/** Returns the locators of a sample with another text. */
const replaceTexts = (sample: Sample, text: string): INodeParameters =>
	Object.fromEntries(
		Object.entries(parametersOf.get(sample)!)
			.filter(([, value]) => typeof value === 'object' && value !== null && '__rl' in value)
			.map(([name, value]) => [name, { ...(value as INodeParameters), value: text }]),
	);

const FAULTS: Record<string, RunFault> = {
	'the node has no credential': { node: { credentials: {} } },
	'the credential was deleted': {
		credentialError: 'Credential with ID "1" does not exist for this type.',
	},
	'the credential cannot be decrypted': {
		credentialError:
			'Credentials could not be decrypted. The likely reason is that a different "encryptionKey" was used.',
	},
	'the base URL is blank': { credential: { baseUrl: '' } },
	'the base URL is no URL': { credential: { baseUrl: 'api.example.com' } },
	'the operation does not exist': { parameters: { operation: 'fromANewerVersion' } },
	'an expression fails': { changeParameters: (sample) => replaceTexts(sample, EXPRESSION) },
	'a name is not found': { changeParameters: replaceByNames, respond: respondWith(200, []) },
	'the output cannot be shaped': { breakOutput: true },
	'the service cannot be reached': {
		credential: { baseUrl: 'http://127.0.0.1:1' },
		waitsOut: true,
	},
	'the service rejects the credential': { respond: respondWith(401, { message: 'No' }) },
	'the service rejects the values': { respond: respondWith(422, { message: 'No' }) },
	'the service fails': { respond: respondWith(500, { message: 'No' }), waitsOut: true },
	'the service is rate-limited for an hour': {
		respond: respondWith(429, { message: 'No' }, { 'retry-after': '3600' }),
		waitsOut: true,
	},
	'the service answers with a page': {
		respond: (_, response) => {
			response.writeHead(200, { 'content-type': 'text/html' });
			response.end('<html><body>Welcome</body></html>');
		},
		waitsOut: true,
	},
};

const MODES = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

const operationOf = ({ node, resource, operation }: Sample): Operation =>
	packServices.find(({ name }) => name === node)!.service.resources[resource]!.operations[
		operation
	]!;

/** Values that pass for a success, by the type of the field. */
const VALUES = { boolean: true, integer: 1, number: 1, string: 'completed', object: {}, array: [] };

/** Returns an input item with all fields of a success of the operation. */
function forgeResult(sample: Sample): IDataObject {
	const { outputSchema = {} } = operationOf(sample);
	const fields = Object.entries(outputSchema).map(([name, type]) => [name, VALUES[type]]);
	const { output } = sample;
	return {
		outcome: 'completed',
		status: 'confirmed',
		...(Object.fromEntries(fields) as IDataObject),
		...(typeof output === 'string' ? { [output]: 'completed' } : output),
	};
}

/** Whether an operation must fail under a fault. A wait polls on through faults that may pass. */
const mustFail = (
	sample: Sample,
	{ changeParameters, waitsOut, breakOutput }: RunFault,
): boolean =>
	changeParameters
		? Object.keys(changeParameters(sample)).length > 0
		: !(sample.waitsForPerson && (waitsOut || breakOutput));

/** Runs a sample for two items under a fault. */
async function runUnderFault(sample: Sample, fault: RunFault, onError: (typeof MODES)[number]) {
	if (fault.respond) server.respondWith(fault.respond);
	// Only a fault of the output lets requests reach the sandbox, so all others can use the same parameters.
	const { options, ...parameters } = fault.breakOutput
		? await createParameters(sample)
		: parametersOf.get(sample)!;
	const { credentialType } = packServices.find(({ name }) => name === sample.node)!.service;
	const credential = {
		...rig.kit.credentialData[credentialType],
		...sample.credential?.(rig),
		...(fault.respond && { baseUrl: server.url }),
		...fault.credential,
	};
	const credentialData = new Proxy(
		{ [credentialType]: credential },
		{
			get: (data, type: string) => {
				if (fault.credentialError !== undefined) throw new Error(fault.credentialError);
				return data[type];
			},
		},
	) as NodeKit['credentialData'];
	const operation = operationOf(sample);
	const { transformRecord } = operation;
	if (fault.breakOutput)
		operation.transformRecord = () => {
			throw new RangeError('Maximum call stack size exceeded');
		};
	try {
		return await runNode(
			{ ...rig.kit, credentialData },
			sample.node,
			{
				resource: sample.resource,
				operation: sample.operation,
				...parameters,
				options: { ...(options as object), tries: 1, longestWait: 1, timeLimit: 30 },
				...fault.parameters,
				...fault.changeParameters?.(sample),
			},
			[forgeResult(sample), forgeResult(sample)],
			{ onError, ...fault.node },
		);
	} finally {
		operation.transformRecord = transformRecord;
	}
}

/** Returns what is wrong with the result of a run in which every item must fail, or the node if `mustStop`. */
function findProblems(
	{ error, outputItems, errorItems }: Awaited<ReturnType<typeof runUnderFault>>,
	onError: (typeof MODES)[number],
	mustStop: boolean,
): string[] {
	if (mustStop) {
		return [
			...(error ? [] : ['no error']),
			...(outputItems.length + errorItems.length > 0 ? ['an error and output'] : []),
		];
	}
	const [failedItems, successItems] =
		onError === 'continueErrorOutput'
			? [errorItems.map(({ json }) => json), outputItems]
			: [outputItems, []];
	const forged = failedItems.filter(
		(json) => typeof json.error !== 'string' || Object.keys(json).length > 1,
	);
	return [
		...(failedItems.length === 2 ? [] : [`${failedItems.length} items failed`]),
		...(successItems.length > 0 ? [`succeeded with ${JSON.stringify(successItems[0])}`] : []),
		...(forged.length > 0 ? [`failed with ${JSON.stringify(forged[0])}`] : []),
	];
}

/** Modes in which a fault is tried. The fault matrix (`matrix/`) has the faults of the service without On Error. */
const modesOf = ({ respond }: RunFault) =>
	MODES.filter((mode) => mode !== 'stopWorkflow' || !respond);

/** Faults with the index of each: every operation meets every fault that is tried in three modes, and most others. */
const faultRows = Object.entries(FAULTS).map(([name, fault], index) => ({ name, fault, index }));

describe.each(faultRows)('if $name', ({ fault, index }) => {
	test.each(modesOf(fault))(
		'every operation fails, and no input passes for a result: %s',
		async (onError) => {
			const share = shareOf(samples, index + MODES.indexOf(onError));
			const failingSamples = share.filter((sample) => mustFail(sample, fault));
			expect(failingSamples).not.toEqual([]);
			const problems: string[] = [];
			for (const sample of failingSamples) {
				const mustStop =
					onError === 'stopWorkflow' ||
					// The number of this node's outputs depends on the operation, so it has no error output without one.
					(onError === 'continueErrorOutput' &&
						sample.node === 'twoFactor' &&
						fault.parameters?.operation !== undefined);
				const run = await runUnderFault(sample, fault, onError);
				const found = findProblems(run, onError, mustStop);
				problems.push(...found.map((problem) => `${labelOf(sample)}: ${problem}`));
			}
			expect(problems).toEqual([]);
		},
	);
});

it('docs/reliability.md states the number of runs', () => {
	const faults = Object.values(FAULTS);
	const runCount = faults.reduce(
		(sum, fault) =>
			sum + modesOf(fault).length * samples.filter((sample) => mustFail(sample, fault)).length,
		0,
	);
	const page = readFileSync(join(__dirname, '../../docs/reliability.md'), 'utf8');
	expect(page).toContain(
		`${runCount.toLocaleString('en')} runs (${faults.length} faults, all three settings of _On Error_)`,
	);
});

it('a failed row of an import keeps its columns on the error output', async () => {
	const row = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' };
	server.respondWith(respondWith(422, { message: 'No' })!);
	const { errorItems } = await runNode(
		{
			...rig.kit,
			credentialData: {
				eventRegistrationApi: {
					...rig.kit.credentialData.eventRegistrationApi,
					baseUrl: server.url,
				},
			},
		},
		'eventRegistration',
		{ resource: 'contact', operation: 'get', contactListId: '7003', contactId: '7' },
		[row],
		{ onError: 'continueErrorOutput' },
	);
	expect(errorItems.map(({ json }) => json)).toEqual([
		{ ...row, error: expect.stringContaining('No') },
	]);
});
