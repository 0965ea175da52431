import { Bus } from './bus';
import type { ServiceName } from './serviceName';

/** The author of a write and its time by the sandbox's clock, which all timestamps use. */
export interface WriteContext {
	now: number;
	by: 'api' | 'desk';
}

/** A change at a service that has a desk. */
export interface DeskChange {
	/** Counted from 1 since the start. */
	id: number;
	at: number;
	by: WriteContext['by'];
	service: ServiceName;
	/** The event concerned, with the service's format of its ID. */
	eventId?: string;
	contactListId?: string;
	/** Description, such as `Kim Okafor was registered`. */
	text: string;
}

const MAX_CHANGES = 100;

/** Publishes the changes at services to the desk, made by workflows through the API or by users at the desk. */
export class DeskBus extends Bus<DeskChange> {
	private lastId = 0;

	constructor() {
		super(({ id }) => String(id), MAX_CHANGES);
	}

	publish(context: WriteContext, change: Omit<DeskChange, 'id' | 'at' | 'by'>): void {
		this.deliver({ id: ++this.lastId, at: context.now, by: context.by, ...change });
	}

	/** Returns the newest changes, oldest first. */
	changes(): DeskChange[] {
		return this.select();
	}

	/** Calls back for each change until the returned function is called. */
	watch(onChange: (change: DeskChange) => void): () => void {
		return this.subscribe(() => true, onChange);
	}
}

/** Returns a status for texts of the desk. The services say `cancelled`, all texts of the sandbox `canceled`. */
export const formatStatus = (status: string): string =>
	status.toLowerCase().replace(/^cancelled$/, 'canceled');
