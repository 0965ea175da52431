import type { IDataObject } from 'n8n-workflow';

import { checkWrites } from '../checker/writes';
import planted from '../planted/writes.json';
import type { StoredExecution } from '../world/executionStore';
import type { MemoryService } from '../world/memoryService';
import { N8nModel } from '../world/n8nModel';
import { RecordJournal } from '../world/recordJournal';
import type { World } from '../world/world';
import type { Subject } from './subject';
import { playInWorld } from './worldPlan';
import { PLANNED_MS, plans, shortPlans } from './writePlan';
import type { PlannedExecution, PlannedPerson, PlannedWrites, WritePlan } from './writePlan';
import { CONTACT_KINDS, EVENT_ID, toStoredWorkflow } from './writeWorkflow';

const CALM_MS = 120_000;
/** A user checks executions at this interval, and repeats one that crashed. */
const REVIEW_MS = 5000;
/** Fields of a result, as an attacker would write them. */
const FORGED = {
	change: 'forged',
	applied: 'forged',
	created: 'forged',
	sent: 'forged',
	ContactId: 'forged',
	RegistrationId: 'forged',
	error: 'forged',
};

/** Executions that write contacts, registrations and messages. */
export const writes: Subject<WritePlan> = {
	name: 'Writes',
	plans,
	shortPlans,
	planted,
	check: checkWrites,
	play: async (plan, bundle) => {
		let history: WriteHistory;
		return await playInWorld(plan, bundle, {
			plannedMs: PLANNED_MS,
			calmMs: CALM_MS,
			isOver: () => history.isOver(),
			prepare: async (world, service) => {
				history = new WriteHistory(world, service, plan);
				return await history.prepare();
			},
		});
	},
};

/** The users and organizers of one history. */
class WriteHistory {
	private n8n!: N8nModel;
	private journal!: RecordJournal;
	private list!: number;
	private startCount = 0;
	/** Executions that have not ended well, or were not started yet. */
	private openCount: number;
	private readonly removed: IDataObject[] = [];
	private isLastActOver = false;
	private executedCount = 0;

	constructor(
		private readonly world: World,
		private readonly service: MemoryService,
		private readonly plan: WritePlan,
	) {
		this.openCount = plan.executions.length;
	}

	async prepare(): Promise<N8nModel> {
		const { world, service, plan } = this;
		const { machine } = world;
		const { sandbox } = service;
		// The form in this shape has the types of the fields.
		sandbox.settings.eventRegistration.formShape = 'array';
		this.journal = new RecordJournal(world, sandbox);
		this.list = await this.createList();
		for (const person of plan.listed) this.control('addContact', this.contactOf(person));
		this.n8n = new N8nModel(world, {
			...plan,
			credentials: sandbox.credentials,
			executedWorkflows: plan.writingWorkflows.flatMap((workflow, index) =>
				[false, true].map((expectsPlan) =>
					toStoredWorkflow(idOf(index, expectsPlan), workflow, this.list, expectsPlan),
				),
			),
		});
		for (const [index, workflow] of plan.writingWorkflows.entries()) this.describe(index, workflow);
		for (const execution of plan.executions)
			machine.schedule(execution.startedAtMs, () => this.begin(execution));
		const timed = plan.acts.filter(({ afterRequest }) => afterRequest === undefined);
		const lastActMs = Math.max(...timed.map(({ atMs }) => atMs));
		this.isLastActOver = timed.length === 0;
		for (const act of timed) {
			machine.schedule(act.atMs, () => {
				this.act(act);
				if (act.atMs === lastActMs) this.isLastActOver = true;
			});
		}
		for (const { method, fault } of plan.writeFaults) service.failNext(method, fault);
		service.onExecuted = ({ request, method }) => {
			if (method !== 'GET') this.journal.update(request);
			const count = ++this.executedCount;
			for (const act of plan.acts) if (act.afterRequest === count) this.act(act);
		};
		return this.n8n;
	}

	/** Whether all executions have ended, and no request of a killed process is on its way. */
	isOver(): boolean {
		return this.openCount === 0 && this.isLastActOver;
	}

	private describe(index: number, workflow: PlannedWrites): void {
		const { operation, onError, retryOnFail, matchBy, missing, maxRemovals, maxChanges } = workflow;
		const sync = {
			matchBy,
			missing,
			kinds: CONTACT_KINDS,
			...(maxRemovals !== undefined && { maxRemovals }),
			...(maxChanges !== undefined && { maxChanges }),
		};
		for (const expectsPlan of [false, true])
			this.world.record({
				type: 'writing',
				workflow: idOf(index, expectsPlan),
				operation,
				onError,
				retryOnFail,
				...(operation === 'sync' && { sync }),
			});
	}

	/** Starts an execution, and the one that expects its plan if a user signs the plan off. */
	private begin({ workflow, items, mode }: PlannedExecution): void {
		const index = workflow % this.plan.writingWorkflows.length;
		const isSync = this.plan.writingWorkflows[index]!.operation === 'sync';
		const isSignedOff = isSync && mode === 'signOff';
		const first = isSignedOff ? 'preview' : mode;
		this.start(idOf(index, false), items, { mode: first }, (execution) => {
			const plan = isSignedOff ? this.planOf(execution) : undefined;
			if (plan === undefined) this.openCount--;
			else
				this.start(
					idOf(index, true),
					items,
					{ mode: 'apply', expected: plan },
					() => this.openCount--,
				);
		});
	}

	/** Starts an execution, again after a while if n8n is down, or if the execution crashes. */
	private start(
		workflow: string,
		items: PlannedPerson[],
		settings: IDataObject,
		then: (execution: StoredExecution) => void,
	): void {
		const { machine } = this.world;
		const { executions } = this.n8n;
		const repeat = () => this.start(workflow, items, settings, then);
		const count = executions.store.list().length;
		const start = ++this.startCount;
		const { operation } = this.plan.writingWorkflows[parseInt(workflow)]!;
		const given = items.map((person, item) => ({
			...FORGED,
			...(operation === 'sync' ? this.personOf(person) : this.uniqueOf(person, start, item)),
			...settings,
		}));
		void executions.start(workflow, given);
		const execution = executions.store.list()[count];
		if (!execution) return void machine.schedule(1000, repeat);
		const review = (): void => {
			if (execution.status === 'crashed') return repeat();
			if (execution.status !== 'running') return then(execution);
			machine.schedule(REVIEW_MS, review);
		};
		machine.schedule(REVIEW_MS, review);
	}

	/** Returns the plan that a preview has output. */
	private planOf({ id }: StoredExecution): string | undefined {
		const output = this.world.history.findLast(
			(event) => event.type === 'output' && event.execution === id && event.node === 'Next',
		);
		const items = output?.type === 'output' ? output.items : [];
		return items.find(({ plan }) => plan !== undefined)?.plan as string | undefined;
	}

	/** Values of a person. A later version differs in another field; two spellings mean the same number. */
	private personOf(planned: PlannedPerson): Record<string, string> {
		const { person, version, isInvalid = false, isInCapitals = false } = planned;
		const names = ['ann', 'bob', 'cleo', 'dan', 'eve', 'finn'];
		const address = `${names[person]}@x.org`;
		return {
			Email: isInvalid ? '' : isInCapitals ? address.toUpperCase() : address,
			MemberNumber: isInvalid ? '' : `${100 + person}`,
			LastName: version === 1 ? 'New' : names[person]!,
			Employees: version === 2 ? '10' : person === 1 ? '7.0' : '7',
		};
	}

	private contactOf(person: PlannedPerson) {
		const { Email, MemberNumber, LastName, Employees } = this.personOf(person);
		const custom = { MemberNumber, Employees: Number(Employees) };
		return {
			contactListId: this.list,
			Email,
			LastName,
			Title: 'kept',
			CustomFields: Object.entries(custom).map(([Name, Value]) => ({ Name, Value: `${Value}` })),
		};
	}

	/** Values of a person with a mark of the item, which shows in each request and record. */
	private uniqueOf(person: PlannedPerson, start: number, item: number): Record<string, string> {
		const { Email = '' } = this.personOf(person);
		const mark = `mark${start}x${item}x`;
		return {
			Email: person.isInvalid ? 'nobody' : Email,
			FirstName: 'Someone',
			LastName: mark,
			mark,
			Phone: person.isInvalid ? '1' : `+49151${10_000_000 + 100 * start + item}`,
		};
	}

	private act(act: WritePlan['acts'][number]): void {
		const { sandbox } = this.service;
		const person = this.contactOf(act);
		const contacts = Object.values(sandbox.storedRecords('eventRegistration').contacts!) as Array<
			IDataObject & { ContactId: number }
		>;
		const contact = contacts.find(({ Email }) => Email === person.Email);
		const contactId = contact?.ContactId;
		const { contactListId } = person;
		if (act.kind === 'add') this.control('addContact', person);
		else if (act.kind === 'signUp') {
			const CustomFields = person.CustomFields.filter(({ Name }) => Name !== 'MemberNumber');
			this.control('addContact', { ...person, CustomFields });
		} else if (act.kind === 'register') {
			const { Email, LastName } = person;
			const input = { eventId: EVENT_ID, Email, LastName, FirstName: 'Someone', SendEmails: false };
			this.control('register', input);
		} else if (act.kind === 'recreate') {
			const again = this.removed.pop();
			if (again) this.control('addContact', again);
		} else if (contactId === undefined) return;
		else if (act.kind === 'remove') {
			this.removed.push(person);
			this.control('removeContact', { contactListId, contactId });
		} else this.control('changeContact', { ...person, contactId });
	}

	private control(action: string, input: object): void {
		this.service.sandbox.control('eventRegistration', action, input as IDataObject);
		this.journal.update();
	}

	private async createList(): Promise<number> {
		const { sandbox } = this.service;
		const { apiKey, headerName } = sandbox.demo.eventRegistration;
		const { pathname } = new URL(sandbox.addresses.eventRegistration);
		const response = await this.world.machine.runUnordered(
			async () =>
				await sandbox.inject({
					method: 'POST',
					url: `${pathname.replace(/\/$/, '')}/api/v1/contactlists`,
					headers: { [headerName]: apiKey, host: 'localhost' },
					payload: { Name: 'Members' },
				}),
		);
		return response.json<{ ContactListId: number }>().ContactListId;
	}
}

const idOf = (index: number, expectsPlan: boolean) => `${index}${expectsPlan ? ' signed off' : ''}`;
