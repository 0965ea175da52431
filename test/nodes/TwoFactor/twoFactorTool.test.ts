// Protects the node as a tool of an agent: it accepts the values of the model, and returns results and errors with advice.
import { NodeConnectionTypes, NodeHelpers } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodePropertyOptions,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { service } from '../../../nodes/TwoFactor/service';
import { TwoFactor } from '../../../nodes/TwoFactor/TwoFactor.node';
import { connectTo, runNode, runWorkflow } from '../../support/workflow';
import { APP_ID, DEMO_ID, DEMO_PHONE, useTwoFactorRig } from './twoFactorRig';

const rig = useTwoFactorRig();

interface Tool {
	name: string;
	description: string;
	invoke: (args: object) => Promise<string>;
}

/** Stands for n8n's agent: calls its only tool with the arguments of the model, and outputs the result. */
class Agent implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agent',
		name: 'agent',
		group: ['transform'],
		version: 1,
		description: 'Calls a tool',
		defaults: { name: 'Agent' },
		inputs: [NodeConnectionTypes.Main, NodeConnectionTypes.AiTool],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const tools = (await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0)) as Tool[];
		const [{ json }] = this.getInputData() as [INodeExecutionData];
		const result = await tools[0]!.invoke(json);
		return [[{ json: { answer: JSON.parse(result), toolDescription: tools[0]!.description } }]];
	}
}

/** The node as n8n offers it to agents. */
class TwoFactorTool extends TwoFactor {
	constructor() {
		super();
		this.description = {
			...this.description,
			name: 'twoFactorTool',
			inputs: [],
			outputs: [NodeConnectionTypes.AiTool],
		};
	}
}

/** Runs a workflow in which the agent calls the tool once with these arguments. */
const runTool = async (parameters: object, args: object) => {
	const { nodes, credentials, credentialData } = rig.kit;
	return await runWorkflow(
		{
			nodes: { ...nodes, agent: Agent, twoFactorTool: TwoFactorTool },
			credentials,
			credentialData,
		},
		[
			{ name: 'Start', type: 'start' },
			{ name: 'Agent', type: 'agent' },
			{ name: 'Two-Factor', type: 'twoFactorTool', parameters: parameters as never },
		],
		{
			Start: connectTo('Agent'),
			'Two-Factor': connectTo('Agent', 'ai_tool'),
		},
		[args as never],
	);
};
const callTool = async (parameters: object, args: object) => {
	const run = await runTool(parameters, args);
	expect(run.error).toBeUndefined();
	return run.json('Agent')[0] as { answer: object[]; toolDescription: string };
};
/** An expression that the model fills in. */
const fromModel = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;

describe('the node as a tool of an AI agent', () => {
	it('sends a code to the user that the model names', async () => {
		const { answer } = await callTool(
			{ resource: 'oneTimeCode', operation: 'sendBySms', twofactorId: fromModel('user') },
			{ user: DEMO_ID },
		);
		expect(answer).toMatchObject([{ twofactor_id: Number(DEMO_ID), sent: true }]);
		expect(rig.readMessages(DEMO_PHONE)).toHaveLength(1);
	});

	it('returns to the model that a code is wrong, instead of failing', async () => {
		const { answer } = await callTool(
			{
				resource: 'oneTimeCode',
				operation: 'verify',
				twofactorId: APP_ID,
				code: fromModel('code'),
			},
			{ code: '12 34 567' },
		);
		expect(answer).toMatchObject([{ valid: false, reason: 'wrong' }]);
	});

	it('accepts a phone number with spaces and brackets from the model', async () => {
		const { answer } = await callTool(
			{ resource: 'phoneVerification', operation: 'start', phoneNumber: fromModel('phone') },
			{ phone: '+1 (202) 555-0143' },
		);
		expect(answer).toMatchObject([{ sent: true }]);
	});

	it('sends an approval request and returns the decision in one call', async () => {
		const running = callTool(
			{
				resource: 'approvalRequest',
				operation: 'create',
				twofactorId: APP_ID,
				message: fromModel('question'),
				wait: true,
				options: { checkEvery: 1 },
			},
			{ question: 'May I book the room?' },
		);
		for (let attempt = 0; attempt < 200; attempt++) {
			const [approval] = rig.control('approvals', { status: 'pending' });
			if (approval) rig.control('decide', { uuid: approval.uuid, decision: 'approved' });
			if (approval) break;
			await new Promise((resolve) => setTimeout(resolve, 25));
		}
		expect((await running).answer).toMatchObject([
			{ outcome: 'approved', message: 'May I book the room?' },
		]);
	});

	it.each([
		['stops', {}],
		['continues', { onError: 'continueRegularOutput' as const }],
	])('returns an error message with advice if the workflow %s on an error', async (_, settings) => {
		const kit = { ...rig.kit, nodes: { ...rig.kit.nodes, twoFactorTool: TwoFactorTool } };
		const getMessage = async (parameters: object) => {
			const { error, outputItems } = await runNode(
				kit,
				'twoFactorTool',
				{ resource: 'approvalRequest', operation: 'get', ...parameters },
				[{}],
				settings,
			);
			return error?.message ?? outputItems[0]?.error;
		};
		expect(await getMessage({ uuid: 'nothing-has-this' })).toBe(
			"Two-factor service: Approval request not found (60049). Check 'Approval Request ID': use the id that Create returned.",
		);
		rig.changeCredential({ apiKey: 'a-wrong-key' });
		expect(await getMessage({ uuid: 'any' })).toMatch(
			/\. Tell the person who runs this workflow: Check 'API Key' in the credential/,
		);
	});

	// For MCP servers and older agents n8n adds the description of an error to its message, unless the message contains it.
	it.each(['html', '503', 'drop', 'truncate'] as const)(
		'returns an error message in which no sentence is repeated (%s)',
		async (kind) => {
			rig.sandbox.faultRules.add({ service: 'twoFactor', kind });
			const create = { resource: 'approvalRequest', operation: 'create', message: 'May I?' };
			const { error } = await runTool({ ...create, twofactorId: APP_ID }, {});
			rig.sandbox.faultRules.clear();
			expect(error!.message).toMatch(/Tell the person|check|not known/i);
			expect(error!.message).not.toContain('Details:');
			const sentences = error!.message.split(/(?<=\.)\s+/);
			expect(new Set(sentences).size).toBe(sentences.length);
		},
	);

	it('has a different description for each operation', () => {
		const { properties, usableAsTool } = new TwoFactor().description;
		expect(usableAsTool).toBe(true);
		const descriptions = properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options, displayOptions }) =>
				(options as INodePropertyOptions[]).map(({ value }) => {
					const [resource] = displayOptions!.show!.resource as string[];
					const node = { parameters: { resource, operation: value } } as unknown as INode;
					return NodeHelpers.getToolDescriptionForNode(node, new TwoFactor());
				}),
			);
		const operationNames = Object.values(service.resources).flatMap((resource) =>
			Object.keys(resource.operations),
		);
		expect(descriptions).toHaveLength(operationNames.length);
		expect(new Set(descriptions).size).toBe(descriptions.length);
	});
});
