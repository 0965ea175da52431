import { defineIsolationTests } from './leaves';

defineIsolationTests('one');
