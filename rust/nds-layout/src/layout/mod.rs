//! The shared-memory layout of the Neuron DataStore.
